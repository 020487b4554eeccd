/** A member that is asked for its support bundle, with an engine whose line breaks (F17). */
import { expect, it, onTestFinished } from 'vitest';
import { milliseconds } from '../../../src/core/duration.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';
import { answerDiagnoses } from '../../../src/fleet/diagnosis/bundle-answer.ts';
import type { Question } from '../../../src/fleet/diagnosis/bundle-sealing.ts';
import { createAsker, proofOf } from '../../../src/fleet/diagnosis/bundle-sealing.ts';
import { fleetKey } from '../../support/fleet/fleet-engine.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';

const member = '5d2f4c1e-8a7b-4c3d-9e0f-1a2b3c4d5e6f';

/** The rows of the engine, as far as an answer goes into them. */
function ask() {
  const clock = createSteeredClock();
  const asker = createAsker(fleetKey);
  const question: Question = {
    id: '9a1c3b5d-0e2f-4a6b-8c7d-1f2e3d4c5b6a',
    member,
    by: 0,
    from: 'desk',
    publicKey: asker.publicKey,
  };
  const table = { isAway: false, parts: new Map<number, Uint8Array>(), count: null as number | null };
  let bundles = 0;
  let up = () => {};
  const service = answerDiagnoses({
    engine: {
      async ask({ name }, values) {
        if (name === 'diagnoses asked for') {
          const proof = proofOf(question, fleetKey);
          return table.count === null ? [{ ...question, proof }] : [];
        }
        if (table.isAway) throw new Problem('fleet-engine-away', 'no answer');
        const [, second, third] = values;
        if (name === 'diagnosis answered') table.count = second as number;
        else table.parts.set(second as number, third as Uint8Array);
        return [];
      },
      onNotice: () => ({ [Symbol.dispose]() {} }),
      onState(listener) {
        up = () => listener({ is: 'up' } as Parameters<typeof listener>[0]);
        return { [Symbol.dispose]() {} };
      },
    },
    member,
    key: fleetKey,
    clock,
    log: recordLog().log,
    async bundle() {
      bundles += 1;
      return Buffer.from('all that is known');
    },
  });
  const stop = new AbortController();
  const running = service.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  const opened = () => asker.open(question, Buffer.concat([...table.parts.values()])).toString();
  return { clock, table, opened, isUpAgain: () => up(), bundles: () => bundles };
}

it('is answered once the line is there again that broke while the answer went', async () => {
  const { clock, table, opened, isUpAgain } = ask();
  table.isAway = true;
  await clock.advance(milliseconds(1));
  expect(table.count).toBeNull();
  table.isAway = false;
  isUpAgain();
  await clock.advance(milliseconds(1));
  expect(table.count).toBe(1);
  expect(opened()).toBe('all that is known');
});

it('makes a few bundles at most for one question, whatever becomes of the answers', async () => {
  const { clock, table, isUpAgain, bundles } = ask();
  table.isAway = true;
  for (let again = 0; again < 10; again += 1) {
    await clock.advance(milliseconds(1));
    isUpAgain();
  }
  expect(bundles()).toBe(3);
});
