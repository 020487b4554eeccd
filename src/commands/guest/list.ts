/** `platen guest list` and `platen guest end`: shows the guests that the running agent knows, and ends them. */
import { z } from 'zod';
import { loadConfig } from '../../config/load.ts';
import { isoWithOffset } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { callControl, notRunning } from '../control-call.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { table } from '../terminal-text/table.ts';

export interface GuestListOptions {
  readonly config: string;
  readonly json?: boolean;
}

export interface GuestEndOptions {
  readonly config: string;
  readonly name: string;
}

/** Longer than the agent waits for the service. */
export const guestPatience = seconds(50);

const listAnswer = z.object({
  guests: z.array(z.object({ userName: z.string(), endsAt: z.number(), pages: z.int().optional() })),
});
const endAnswer = z.object({ ended: z.array(z.string()) });

export async function guestListCommand({ config: file, json }: GuestListOptions, io: Io): Promise<number> {
  const config = loadConfig(file, io.env);
  const said = await callControl(config, io, { method: 'GET', path: '/guests' });
  if (said === undefined) return tellNotRunning(file, io);
  const guests = listAnswer
    .parse(said)
    .guests.map(({ endsAt, ...guest }) => ({ ...guest, endsAt: isoWithOffset(endsAt) }));
  if (json) io.out(JSON.stringify(guests, undefined, 2));
  else if (guests.length === 0) io.out('There are no guests.');
  else {
    const rows = guests.map(({ userName, endsAt, pages }) => [userName, endsAt, String(pages ?? '-')]);
    io.out(table([['GUEST', 'UNTIL', 'PAGES'], ...rows]));
  }
  return exitCode.ok;
}

export async function guestEndCommand({ config: file, name }: GuestEndOptions, io: Io): Promise<number> {
  const config = loadConfig(file, io.env);
  const body = { guest: name };
  const call = { method: 'POST', path: '/guests/end', body, limit: guestPatience } as const;
  const said = await callControl(config, io, call);
  if (said === undefined) return tellNotRunning(file, io);
  const { ended } = endAnswer.parse(said);
  if (ended.length === 0) io.out('There are no guests.');
  for (const one of ended) io.out(`${one} has ended`);
  return exitCode.ok;
}

export function tellNotRunning(file: string, io: Pick<Io, 'error'>): number {
  io.error(`platen: ${notRunning(file)}`);
  return exitCode.notRunning;
}
