/**
 * Every durable or visible step of a release in a fleet, as system calls since the badge: one is recorded by strace(1),
 * which is attached just before (INVARIANTS.md G4). Statements to the engine are among them; beats are, too, and come
 * when they come.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FleetPlay } from './fleet-play.ts';
import type { Protocol } from './kill-stage.ts';
import { addDocument } from './kill-stage.ts';
import { durableOrVisible, fatalCalls } from './kill-steps.ts';
import type { FatalCall } from '../support/agent/mortal-agent.ts';
import { watchingInto } from '../support/agent/mortal-agent.ts';
import { setThreeGateways } from './three-gateways.ts';

export async function fleetStepsOf(protocol: Protocol): Promise<readonly FatalCall[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-fleet-steps-'));
  const file = join(folder, 'calls');
  try {
    await using stage = await setThreeGateways(protocol);
    await using play = new FleetPlay(stage);
    const [place] = stage.places;
    if (place === undefined) throw new RangeError('a stage without places');
    play.startAt(place);
    await play.isReadyAt(place);
    const agent = play.agentAt(place);
    using _ = await agent.trace(watchingInto(file, durableOrVisible));
    addDocument(stage, 'Recorded.pdf', 0);
    play.badgeAt(place);
    await agent.told('session closed', 'history accepted');
    return fatalCalls(await readFile(file, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
