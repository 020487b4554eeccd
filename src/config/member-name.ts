/** The name of this gateway in its fleet, shown to people. */
import { hostname } from 'node:os';
import type { Config } from './schema/config.ts';

export const memberName = ({ device }: Pick<Config, 'device'>): string => device.clientId ?? hostname();
