/**
 * The cells of `registration poll` (src/cloud/README.md 1 to 4): whatever becomes of it, the device is one endpoint and
 * approved once. In `swap` people hold their cards to a terminal that is not signed in yet; nothing begins for them.
 */
import { expect } from 'vitest';
import { calls } from './calls.ts';
import { faults } from './faults.ts';
import { expectNothingOfAlice, expectPrinted } from './judge.ts';
import type { Cell } from './play.ts';
import { playMatrix } from './play.ts';
import type { MatrixScene } from './scene.ts';
import { serve } from './session-play.ts';
import type { Strike } from './strike.ts';

const { match, after } = calls['registration poll'];

const strikePoll = (scene: MatrixScene, { fault }: Cell, behind?: typeof after) =>
  scene.strike({ call: match(), times: faults[fault].class === 'no way' ? 'always' : 'once', behind });

async function expectEnrolled(scene: MatrixScene, { reaction, timing }: Cell, strike: Strike) {
  const { told, then } = reaction;
  const record = await scene.told(
    'condition raised',
    ({ subject, code }) => subject === 'enrollment' && code !== 'terminal-not-authorized',
  );
  expect(record).toMatchObject({ severity: 'error', code: told });
  strike.mend();
  await scene.enter();
  expect(scene.cloud.state.endpoints).toHaveLength(1);
  const isNew = then === 'new registration';
  const registrations = scene.cloud.calls.filter(({ path }) => path === after.path);
  expect(registrations).toHaveLength(isNew ? 2 : 1);
  const document = scene.addDocument('alice', timing);
  await serve(scene, 'alice');
  await expectPrinted(scene, document);
}

async function expectNobodyServed(scene: MatrixScene) {
  for (const person of ['alice', 'bob'] as const) expect(await scene.badge(person)).toBe('card ignored');
  await expectNothingOfAlice(scene, undefined);
}

playMatrix('registration poll', {
  cloudFor: (timing) => ({ approval: timing === 'later' ? { afterPolls: 1 } : 'at-once' }),
  plays: {
    async first(scene, cell) {
      const strike = strikePoll(scene, cell, after);
      await scene.start();
      await expectEnrolled(scene, cell, strike);
    },

    async later(scene, cell) {
      await scene.start();
      await scene.cloud.waitFor(() => scene.cloud.state.endpoints.some(({ polls }) => polls === 1));
      const strike = strikePoll(scene, cell);
      await scene.soon(strike.met);
      await expectEnrolled(scene, cell, strike);
    },

    async swap(scene, cell) {
      const strike = strikePoll(scene, cell, after);
      await scene.start();
      await strike.met;
      await expectNobodyServed(scene);
      await expectEnrolled(scene, cell, strike);
    },
  },
});
