/** From a badge to the service's relay, and what the person and the operator are told of it. */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { CardRelay } from '../../src/domain/ports/service.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { problemKinds } from '../../src/domain/problem/problem-kinds.ts';
import { BadgeRelay } from '../../src/terminal/relay.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const card = new CardNumber('04A1B2C3D4');
const reader = '10.0.0.21:10001';
const mac = '00:80:A3:00:00:08';

function relayBy(
  release: CardRelay['release'],
  { generation = 7 }: { generation?: number | undefined } = {},
) {
  const sent: string[] = [];
  const notices: string[] = [];
  const reported: string[] = [];
  const clock = createSteeredClock();
  const log = recordLog();
  const relay = new BadgeRelay({
    readers: [
      {
        type: 'tcp-connect',
        address: { host: '10.0.0.21', port: 10001 },
        framing: { kind: 'line' },
        silentAfterHours: 'off',
        relay: { mac },
      },
    ],
    terminal: {
      tell(input) {
        if (input.type !== 'relay-ended') return;
        notices.push(`${input.generation} ${input.notice.sentence}`);
      },
      view: {
        current: () => ({
          generation,
          sentence: '',
          waiting: 0,
          state: generation < 0 ? 'outOfService' : 'relaying',
        }),
      },
    },
    relay: () => ({
      release(read, options) {
        sent.push(`${read.card.reveal()} at ${read.readerMac}`);
        return release(read, options);
      },
    }),
    signal: (signal) => void reported.push(signal),
    onOutcome: (_, outcome) => void reported.push(outcome),
    clock,
    log: log.log,
  });
  return { relay, sent, notices, reported, clock, log };
}

const status = (code: number) => new Problem('cloud-rejected', `status ${code}`, { status: code });
const unreachable = new Problem('cloud-unreachable', 'refused', { delivery: 'not-sent' });
const lost = new Problem('cloud-unreachable', 'reset', { delivery: 'perhaps' });

it.each<[string, () => Promise<void>, string, string[]]>([
  ['took it', async () => {}, 'Your documents are being printed.', ['taken', 'accepted']],
  [
    'knows no such card',
    () => Promise.reject(status(400)),
    problemKinds['login-refused'].person,
    ['refused', 'refused'],
  ],
  [
    'is away',
    () => Promise.reject(unreachable),
    'The print service cannot be reached. We keep trying.',
    ['refused', 'refused'],
  ],
  [
    'lost its answer',
    () => Promise.reject(lost),
    'Your documents may be printing already. Look at the printer before you hold your card to the reader again.',
    ['unknown', 'refused'],
  ],
])(
  'a relayed badge is sent once, and the person hears that the service %s',
  async (_, release, notice, said) => {
    const { relay, sent, notices, reported, log } = relayBy(release);
    expect(relay.takes(reader, card)).toBe(true);
    await expect.poll(() => notices).toEqual([`7 ${notice}`]);
    expect([sent, reported]).toEqual([[`04A1B2C3D4 at ${mac}`], said]);
    expect(log.records('card relayed')).toMatchObject([{ reader, outcome: said[0] }]);
    expect(log.text()).not.toContain('04A1B2C3D4');
  },
);

it('a relay that we stumble over is our fault, and nobody knows what became of it', async () => {
  const { relay, reported, log } = relayBy(() =>
    Promise.reject(new TypeError('undefined is not a function')),
  );
  relay.takes(reader, card);
  await expect.poll(() => reported).toEqual(['unknown', 'refused']);
  const facts = { level: 'error', code: 'internal', outcome: 'unknown', stack: expect.any(Array) };
  expect(log.records('card relayed')).toMatchObject([facts]);
});

it('a relayed badge is given up after 10 s, and nobody knows what became of it', async () => {
  const { relay, clock, notices, reported } = relayBy(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(lost));
      }),
  );
  relay.takes(reader, card);
  await clock.advance(seconds(9));
  expect(notices).toEqual([]);
  await clock.advance(seconds(2));
  await expect.poll(() => reported).toEqual(['unknown', 'refused']);
});

it('a badge is not relayed while the terminal is out of service, nor kept for later (I9)', () => {
  const { relay, sent, reported, log } = relayBy(async () => {}, { generation: -1 });
  expect(relay.takes(reader, card)).toBe(true);
  expect([sent, reported]).toEqual([[], ['refused']]);
  expect(log.records('card ignored')).toHaveLength(1);
});

it('a badge of another reader of the terminal is none of its business', () => {
  const { relay, sent } = relayBy(async () => {});
  expect([relay.takes('/dev/ttyUSB0', card), sent]).toEqual([false, []]);
});
