/** How a member answers who asks for its support bundle, where somebody writes into the database what they like (F17). */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import { answerDiagnoses } from '../../../src/fleet/diagnosis/bundle-answer.ts';
import { createAsker, proofOf } from '../../../src/fleet/diagnosis/bundle-sealing.ts';
import { open } from '../../../src/fleet/diagnosis/bundle-statements.ts';
import { fleetKey } from '../../support/fleet/fleet-engine.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';

const member = randomUUID();

function question() {
  const { publicKey } = createAsker(fleetKey);
  const asked = { id: randomUUID(), member, by: 0, from: 'desk', publicKey };
  return { ...asked, proof: proofOf(asked, fleetKey) };
}

it('a question that was answered is answered no more, however many others were written in between', async () => {
  const clock = createSteeredClock();
  const { log, records } = recordLog();
  let rows: readonly object[] = [];
  let ring = () => {};
  let made = 0;
  const stop = new AbortController();
  const running = answerDiagnoses({
    member,
    key: fleetKey,
    clock,
    log,
    bundle: async () => Buffer.from(`bundle ${(made += 1)}`),
    engine: {
      ask: async (statement) => (statement === open ? (rows as never) : []),
      onState: () => ({ [Symbol.dispose]: () => {} }),
      onNotice: (_channel, listener) => {
        ring = () => listener(member);
        return { [Symbol.dispose]: () => {} };
      },
    },
  }).run(stop.signal);
  const written = async (...more: readonly object[]) => {
    rows = more;
    ring();
    await clock.advance(seconds(1));
  };
  const overheard = question();
  await written(overheard);
  expect(made).toBe(1);
  for (let round = 0; round < 15; round += 1) {
    await written(...Array.from({ length: 8 }, () => ({ ...question(), proof: Buffer.alloc(32) })));
  }
  expect(records('diagnosis refused')).toHaveLength(120);
  await written(overheard);
  expect(made).toBe(1);
  await written(question());
  expect(made).toBe(2);
  stop.abort();
  await running.catch(() => {});
});
