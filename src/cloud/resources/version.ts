/** `GET /version`: who answers there (ServerVersionInfo). Needs the API key only. */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Api } from '../api.ts';
import { deadlines } from '../api.ts';
import { valueOf } from '../json.ts';

export interface ServerVersion {
  readonly version: string;
  readonly buildDate: string | undefined;
}

const serverVersion: z.ZodType<ServerVersion> = z
  .object({ version: z.string(), buildDate: z.string().nullish() })
  .transform(({ version, buildDate }) => ({ version, buildDate: buildDate ?? undefined }));

export async function askVersion(
  { api, clock }: { api: Api; clock: Clock },
  { signal }: CallOptions,
): Promise<ServerVersion> {
  const within = { signal: clock.deadline(deadlines.interactive, signal) };
  return valueOf(await api.request({ method: 'GET', path: '/api/v1/version' }, within), serverVersion);
}
