/** Where people may bring files to a terminal: its sticks, and the way of a file into the service. */
import type { TerminalConfig } from '../config/schema/config.ts';
import type { Login } from '../domain/user.ts';
import { createSticks } from '../printing/stick/sticks.ts';
import type { StickSource } from '../terminal/person/stick.ts';
import type { StationWorld } from './world.ts';

export function stickSource(
  { stick }: Pick<TerminalConfig, 'stick'>,
  { cloud, clock, chance }: Pick<StationWorld, 'cloud' | 'clock' | 'chance'>,
): StickSource | undefined {
  if (!stick) return undefined;
  const bringingOf = ({ token }: Login) => cloud.directory(token).bringing;
  return {
    sticks: createSticks({ ...stick, clock, chance }),
    queue: stick.queue,
    bringing: {
      queue: (wanted, login, options) => bringingOf(login).queue(wanted, login, options),
      bring: (file, to, login, options) => bringingOf(login).bring(file, to, login, options),
    },
  };
}
