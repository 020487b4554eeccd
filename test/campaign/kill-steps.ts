/**
 * Every durable or visible step of a release, as system calls: one release is recorded by strace(1), and each call of
 * the agent's main thread between the badge and the accepted history is a place to die at (INVARIANTS.md G4).
 * SQLite writes and syncs there, and so do the sockets to the cloud, the printer and the log.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aliceCard } from '../support/agent/stage.ts';
import type { KillRun } from './kill-runs.ts';
import type { Protocol } from './kill-stage.ts';
import { addDocument, setKillStage } from './kill-stage.ts';
import type { FatalCall } from '../support/agent/mortal-agent.ts';
import { recordingInto, startMortalAgent } from '../support/agent/mortal-agent.ts';

export const durableOrVisible = ['fsync', 'pwrite64', 'write', 'writev', 'connect'] as const;

/** A recovery at the start makes some calls more than the recorded start did; those are dying places too. */
export async function stepsOf(protocol: Protocol): Promise<KillRun[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-steps-'));
  try {
    const file = join(folder, 'calls');
    await recordRelease(protocol, file);
    return fatalCalls(await readFile(file, 'utf8')).map((call) => ({
      death: { kind: 'before-call', call },
      bytes: 0,
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function recordRelease(protocol: Protocol, file: string): Promise<void> {
  await using stage = await setKillStage(protocol);
  // The first start enrols; the second is as all later ones.
  for (const tracing of [[], recordingInto(file, durableOrVisible)]) {
    addDocument(stage, 'Recorded.pdf', 0);
    await using agent = startMortalAgent(stage.configFile, tracing);
    await agent.told('terminal ready', 'reader up');
    stage.reader.tap(aliceCard);
    await agent.told('session closed', 'history accepted');
  }
}

/** strace(1): `PID call(arguments) = result`, a line each. */
export function fatalCalls(recording: string): FatalCall[] {
  const lines = recording.split('\n').map((line) => /^(\d+) +(\w+)\((.*)/.exec(line));
  const main = lines.find((line) => line?.[3]?.includes('card read'))?.[1];
  const counts = new Map<string, number>();
  const calls: FatalCall[] = [];
  let hasBadged = false;
  for (const line of lines) {
    const [, thread, name = '', rest = ''] = line ?? [];
    if (thread !== main) continue;
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    hasBadged ||= rest.includes('card read');
    if (hasBadged) calls.push({ name, number });
    if (rest.includes('history accepted')) break;
  }
  return calls;
}
