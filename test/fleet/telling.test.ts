/** What a member tells an engine that has forgotten, or was not asked, of its own releases (F9, F12; I1). */
import { expect, it } from 'vitest';
import type { ClaimedAttempt } from '../../src/domain/ports/claims.ts';
import type { EndState, OpenState } from '../../src/domain/release.ts';
import { createClaimProofs } from '../../src/fleet/fleet-sealing.ts';
import { lastOfEach, tellClaims } from '../../src/fleet/claims-told.ts';
import { fleetKey } from '../support/fleet/fleet-engine.ts';

const documents = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const;

const released = (state: OpenState | EndState, { document = 0, release = 'r1' } = {}): ClaimedAttempt => ({
  documentUuid: documents[document] ?? '',
  releaseId: release,
  terminal: 'lobby',
  state,
  number: 7,
  version: 1,
  startedAt: '2026-11-21T12:00:00Z',
  owesHistory: false,
  deletionOwed: false,
});

/** By release, the state that the engine is told. */
async function reported(
  attempts: readonly ClaimedAttempt[],
): Promise<readonly (readonly [string, string])[]> {
  const asked: (readonly unknown[])[] = [];
  const proofs = createClaimProofs({ key: fleetKey });
  const teller = { member: 'm', now: Date.UTC(2026, 10, 21, 13), placeOf: () => 'Entrance', proofs };
  await tellClaims(async (_, values) => (asked.push(values), []), lastOfEach(attempts), teller);
  const [, , releases = [], , , states = []] = (asked.at(-1) ?? []) as readonly (readonly string[])[];
  return releases.map((release, index) => [release, states[index] ?? '']);
}

it('I1: what came to nothing is not told in the place of a release that printed', async () => {
  const attempts = [released('CONFIRMED'), released('NOOUTPUT', { release: 'r2' })];
  expect(await reported(attempts)).toEqual([['r1', 'printed']]);
});

it('I1: what has not ended may be in the printer, and is told as that', async () => {
  expect(await reported([released('JOB'), released('UNKNOWN', { document: 1, release: 'r2' })])).toEqual([
    ['r1', 'sending'],
    ['r2', 'unknown'],
  ]);
});
