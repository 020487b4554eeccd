/** `GET /version`: who answers there (ServerVersionInfo). Needs the API key only. */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { parseInstant } from '../../core/clock.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Api } from '../api.ts';
import { deadlines } from '../api.ts';
import { headerOf, valueOf } from '../json.ts';

export interface ServerVersion {
  readonly version: string;
  readonly buildDate: string | undefined;
  /** Wall time there when it answered, from its Date header. */
  readonly serverTime: number | undefined;
}

const serverVersion = z.object({ version: z.string(), buildDate: z.string().nullish() });

export async function askVersion(
  { api, clock }: { api: Api; clock: Clock },
  { signal }: CallOptions,
): Promise<ServerVersion> {
  const within = { signal: clock.deadline(deadlines.interactive, signal) };
  const answer = await api.request({ method: 'GET', path: '/api/v1/version' }, within);
  const { version, buildDate } = valueOf(answer, serverVersion);
  const date = headerOf(answer.headers, 'date');
  return {
    version,
    buildDate: buildDate ?? undefined,
    serverTime: date === undefined ? undefined : parseInstant(date),
  };
}
