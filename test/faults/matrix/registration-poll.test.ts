/**
 * The cells of `registration poll` (src/cloud/README.md 1 to 4): whatever becomes of it, the device is one endpoint and
 * approved once. In `swap` people hold their cards to a terminal that is not signed in yet; nothing begins for them.
 */
import { expect } from 'vitest';
import { calls } from '../../support/standard-faults/calls.ts';
import { faults } from '../../support/standard-faults/faults.ts';
import { expectNothingOfAlice, expectPrinted } from './judge.ts';
import type { Cell } from './play.ts';
import { playMatrix } from './play.ts';
import type { MatrixStage } from './stage.ts';
import { serve } from './session-play.ts';
import type { Strike } from '../../support/standard-faults/strike.ts';

const { match, after } = calls['registration poll'];

const strikePoll = (stage: MatrixStage, { fault, timing }: Cell, behind?: typeof after) => {
  // Where people stand before the terminal, it stays as it is until they have held their cards to it.
  const isLasting = timing === 'swap' || faults[fault].class === 'no way';
  return stage.strike({ call: match(), times: isLasting ? 'always' : 'once', behind });
};

async function expectEnrolled(stage: MatrixStage, { reaction, timing }: Cell, strike: Strike) {
  const { told, then } = reaction;
  const record = await stage.told(
    'condition raised',
    ({ subject, code }) => subject === 'enrollment' && code !== 'terminal-not-authorized',
  );
  expect(record).toMatchObject({ severity: 'error', code: told });
  strike.mend();
  await stage.enter();
  expect(stage.cloud.state.endpoints).toHaveLength(1);
  const registrations = stage.cloud.calls.filter(({ path }) => path === after.path).length;
  if (then !== 'new registration') expect(registrations).toBe(1);
  else if (timing === 'swap') expect(registrations).toBeGreaterThanOrEqual(2);
  else expect(registrations).toBe(2);
  const document = stage.addDocument('alice', timing);
  await serve(stage, 'alice');
  await expectPrinted(stage, document);
}

async function expectNobodyServed(stage: MatrixStage) {
  for (const person of ['alice', 'bob'] as const) expect(await stage.badge(person)).toBe('card ignored');
  await expectNothingOfAlice(stage, undefined);
}

playMatrix('registration poll', {
  cloudFor: (timing) => ({ approval: timing === 'later' ? { afterPolls: 1 } : 'at-once' }),
  plays: {
    async first(stage, cell) {
      const strike = strikePoll(stage, cell, after);
      await stage.start();
      await expectEnrolled(stage, cell, strike);
    },

    async later(stage, cell) {
      await stage.start();
      await stage.cloud.waitFor(() => stage.cloud.state.endpoints.some(({ polls }) => polls === 1));
      const strike = strikePoll(stage, cell);
      await stage.soon(strike.met);
      await expectEnrolled(stage, cell, strike);
    },

    async swap(stage, cell) {
      const strike = strikePoll(stage, cell, after);
      await stage.start();
      await strike.met;
      await expectNobodyServed(stage);
      await expectEnrolled(stage, cell, strike);
    },
  },
});
