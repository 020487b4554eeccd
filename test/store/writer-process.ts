/** Runs `busy-writer.ts` to its end, and checks a store against what it said before. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { databaseName } from '../../src/store/database.ts';
import type { Store } from '../../src/store/store.ts';
import { plainFacts } from '../contracts/device-store.ts';
import { releaseId } from '../support/store/release-samples.ts';

export const busyWriter = fileURLToPath(new URL('busy-writer.ts', import.meta.url));

export interface WriterRun {
  readonly stateDir: string;
  readonly firstRelease?: number;
  /** A command that runs it, such as strace with its options. */
  readonly under?: readonly string[];
  /** SIGKILL after so many lines, in the middle of whatever it does then. */
  readonly killAfter?: number;
}

export async function runWriter(run: WriterRun): Promise<{ code: number | null; said: string[] }> {
  const writer = [process.execPath, busyWriter, run.stateDir, String(run.firstRelease ?? 1)];
  const [program = '', ...args] = [...(run.under ?? []), ...writer];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (said.length === run.killAfter) child.kill('SIGKILL');
  }
  await closed;
  return { code: child.exitCode, said };
}

const order = ['nothing', 'PLANNED', 'FETCHED', 'INTENT', 'JOB', 'SENT'];
const rankOf = (state: string): number => (order.includes(state) ? order.indexOf(state) : order.length);

/** All that was said is there, or the step after it; end states exactly as they were said (I11). */
export function expectKept(store: Store, said: readonly string[]): void {
  const states = new Map<string, string>();
  let tokens = 0;
  for (const [what, number, state = ''] of said.map((line) => line.split(' '))) {
    if (what === 'release') states.set(releaseId(Number(number)), state);
    if (what === 'tokens') tokens = Number(number);
  }
  const lost = [...states].filter(([id, state]) => {
    const found = store.releases.find(id)?.row.state ?? 'nothing';
    return rankOf(state) === order.length ? found !== state : rankOf(found) < rankOf(state);
  });
  expect(lost).toEqual([]);

  const { generation = 0, refreshToken, refreshing } = plainFacts(store.device);
  expect(generation).toBeGreaterThanOrEqual(tokens);
  expect(refreshToken).toBe(generation === 0 ? undefined : `canary-refresh-${generation}`);
  expect([undefined, generation]).toContain(refreshing);
}

/** D1: no end state without its outbox row and no row without one, no state but the last event's; read past our code. */
export function expectNothingTorn(stateDir: string): void {
  using database = new DatabaseSync(join(stateDir, databaseName), { readOnly: true });
  const torn = database
    .prepare(
      `SELECT a.release_id, a.state, a.ended_at, o.id AS row FROM attempt a LEFT JOIN outbox o USING (release_id)
       WHERE (o.id IS NOT NULL) <> (a.state IN ('CONFIRMED', 'HANDED-OVER', 'PARTIAL', 'UNKNOWN'))
          OR (a.ended_at IS NULL) <> (a.state IN ('PLANNED', 'FETCHED', 'INTENT', 'JOB', 'SENT'))
          OR a.state <> (SELECT state FROM event WHERE attempt = a.id ORDER BY seq DESC LIMIT 1)`,
    )
    .all();
  expect(torn).toEqual([]);
}
