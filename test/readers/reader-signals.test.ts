/** Commands to a reader that does not take them. */
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import type { TextReaderDeps } from '../../src/readers/intake/badge-intake.ts';
import { createBadgeIntake } from '../../src/readers/intake/badge-intake.ts';
import { createSignaller } from '../../src/readers/intake/reader-signals.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const intake = { push: () => {}, answerFollows: () => {}, close: () => {} };

it('a reader that does not read fills no memory with commands (I8)', async () => {
  const clock = createSteeredClock();
  const signaller = createSignaller({ commands: { refused: 'x'.repeat(256) }, clock });
  const stuck = new Writable({ write: () => {} });
  signaller.connect({ stream: stuck, intake });
  for (let reported = 0; reported < 1000; reported += 1) {
    signaller.signal('refused');
    await clock.advance(seconds(1));
  }
  expect(stuck.writableLength).toBe(512);
});

it('signals go to the line that was opened last, whichever of two closes first', () => {
  const signaller = createSignaller({ commands: { done: 'D' }, clock: createSteeredClock() });
  const heard: string[] = [];
  const line = (name: string) => ({
    intake,
    stream: new Writable({ write: (_bytes, _encoding, taken) => (heard.push(name), taken()) }),
  });
  const closeOld = signaller.connect(line('old'));
  const closeNew = signaller.connect(line('new'));
  closeOld();
  signaller.signal('done');
  closeNew();
  signaller.signal('done');
  expect(heard).toEqual(['new']);
});

it('a reader is told four signals a second and no more (I8)', async () => {
  const clock = createSteeredClock();
  const signaller = createSignaller({ commands: { refused: 'R' }, clock });
  let heard = 0;
  const stream = new Writable({ write: (_bytes, _encoding, taken) => ((heard += 1), taken()) });
  signaller.connect({ stream, intake });
  for (let reported = 0; reported < 100; reported += 1) {
    signaller.signal('refused');
    await clock.advance(seconds(0.1));
  }
  expect(heard).toBe(40);
});

it('what a reader answers to a command is no badge, and spoils none', async () => {
  const clock = createSteeredClock();
  const cards: string[] = [];
  const verdicts: string[] = [];
  const events: TextReaderDeps['events'] = {
    onCard: ({ card }) => void cards.push(card.reveal()),
    onFrame: (verdict) => void verdicts.push(verdict),
    onUp: () => {},
    onDown: () => {},
  };
  const options = { name: 'front', framing: { kind: 'line' }, clock, log: recordLog().log, events } as const;
  const read = createBadgeIntake(options)();
  const stream = new Writable({ write: (_bytes, _encoding, taken) => taken() });
  const signaller = createSignaller({ commands: { accepted: 'A' }, clock });
  signaller.connect({ stream, intake: read });

  read.push(Buffer.from('11111111\r'));
  signaller.signal('accepted');
  await clock.advance(milliseconds(150));
  read.push(Buffer.from('\r\nOK\r\nRF IDeas>'));
  await clock.advance(milliseconds(200));
  read.push(Buffer.from('22222222\r'));
  expect([cards, verdicts]).toEqual([
    ['11111111', '22222222'],
    ['accepted', 'accepted'],
  ]);
});
