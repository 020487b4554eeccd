/** Numbers of which a part is not heard: none of the other part is another person's number (I3). */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { Clock } from '../../src/core/clock.ts';
import { milliseconds } from '../../src/core/duration.ts';
import { createBadgeIntake } from '../../src/readers/intake/badge-intake.ts';
import type { FramingRule } from '../../src/readers/intake/framing.ts';
import { until } from '../contracts/reader.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function open(framing: FramingRule, clock: Clock) {
  const reported: string[] = [];
  const events = {
    onCard: ({ card }: { card: { reveal(): string } }) => void reported.push(card.reveal()),
    onFrame: (verdict: string) => void (verdict === 'accepted' || reported.push(verdict)),
    onUp: () => {},
    onDown: () => {},
  };
  const intake = createBadgeIntake({ name: 'front', framing, clock, log: recordLog().log, events })();
  return { reported, intake, push: (text: string) => intake.push(Buffer.from(text)) };
}

describe.each<[string, FramingRule, (number: string) => string]>([
  ['a mark', { kind: 'line' }, (number) => `${number}\r`],
  ['STX and ETX', { kind: 'stx-etx' }, (number) => `\x02${number}\x03`],
  ['its length', { kind: 'fixed', length: 10 }, (number) => number],
  ['a silence', { kind: 'gap', milliseconds: 50 }, (number) => number],
])('a number that is told by %s and drowned in part by a command', (_, framing, sent) => {
  it.each([
    ['beginning', 195],
    ['end', -5],
  ])('is not taken without its %s', async (_part, startsAt) => {
    const clock = createSteeredClock();
    const { reported, intake, push } = open(framing, clock);
    const after = (span: number) => clock.advance(milliseconds(span));
    const command = () => intake.answerFollows();

    if (startsAt > 0) command();
    await after(Math.max(0, startsAt));
    push(sent('1111122222').slice(0, 6));
    await after(5);
    if (startsAt < 0) command();
    await after(5);
    push(sent('1111122222').slice(6));
    await after(1000);
    expect(reported.filter((one) => one !== 'garbage')).toEqual([]);

    push(sent('3333344444'));
    await after(100);
    expect(reported.at(-1)).toBe('3333344444');
  });
});

async function wire(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const near = connect(port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    for (const socket of [near, far]) socket.destroy();
    server.close();
  });
  return { near, far };
}

it('a number is not cut where the agent was too busy to hear the rest of it', async () => {
  const { near, far } = await wire();
  const { reported, push } = open({ kind: 'gap', milliseconds: 50 }, systemClock);
  near.on('data', (bytes: Buffer) => push(bytes.toString('latin1')));
  far.write('12345');
  await once(near, 'data');
  far.write('67890');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80);
  await until(() => expect(reported).toEqual(['garbage']));
});
