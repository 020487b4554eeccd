import { expect, it, onTestFinished } from 'vitest';
import { outageInWords } from '../../../src/commands/releases/outage-story.ts';
import { startControl } from '../../../src/operations/control.ts';
import { samplePages } from '../../operations/sample-pages.ts';
import { openBooks } from '../../store/books.ts';
import { release } from '../../store/release-samples.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { commandHere } from '../command-here.ts';
import { configOver } from '../config-over.ts';

const record = (time: string, msg: string, facts: object) =>
  JSON.stringify({ time: `2026-11-21T${time}.000Z`, level: 'warn', msg, terminal: 'lobby', ...facts });

const began = record('12:00:00', 'terminal out of service', {
  ...{ reference: '7QX3ZM', reason: 'service-away', code: 'cloud-unreachable' },
  ...{ detail: 'cloud.example: no answer', advice: 'Check the network.' },
});
const lines = [
  record('11:00:00', 'terminal out of service', { reference: 'AAAAAA', reason: 'starting' }),
  began,
  record('12:01:00', 'something else', { detail: '7QX3ZM' }),
];

async function platenShow(code: string, log: readonly string[] | undefined, ...more: string[]) {
  const books = openBooks();
  onTestFinished(() => books[Symbol.dispose]());
  const { directory } = books;
  release(books.ledger, 'CONFIRMED', { release: 0xa });
  if (log) {
    const actions = {
      retryOutbox: () => 0,
      reload: async () => ({}),
      recentLog: () => log,
      logLevel: () => {},
      administered: () => {},
    };
    const control = await startControl({
      ...{ stateDir: directory, actions, pages: samplePages() },
      log: recordLog().log,
    });
    onTestFinished(() => control[Symbol.asyncDispose]());
  }
  const config = configOver(directory);
  return commandHere(['releases', 'show', code, '-c', config, ...more]);
}

it('the reference on the screen tells since when, why, what to do, and where in the log', async () => {
  const { code, out } = await platenShow('7qx-3zm', lines);
  expect([code, out.split('\n')]).toEqual([
    0,
    [
      'outage 7QX3ZM: lobby is out of service since 2026-11-21T12:00:00.000Z: service-away',
      '2026-11-21T12:00:00.000Z  cloud-unreachable: cloud.example: no answer: Check the network.',
      'In the log: journalctl -u platen | grep 7QX3ZM',
    ],
  ]);
});

it('and when it was over', async () => {
  const over = record('12:30:00', 'terminal back in service', { reference: '7QX3ZM' });
  const { out } = await platenShow('7QX3ZM', [...lines, over], '--json');
  expect(JSON.parse(out)).toMatchObject({ terminal: 'lobby', over: '2026-11-21T12:30:00.000Z' });
});

it('an outage in words says what is known of it', () => {
  const [over] = outageInWords({
    ...{ reference: '7QX3ZM', terminal: 'lobby', records: [], reason: 'service-away' },
    ...{ since: 'noon', over: 'one' },
  });
  expect(over).toBe('outage 7QX3ZM: lobby was out of service since noon until one: service-away');
  const [standing] = outageInWords({
    ...{ reference: '7QX3ZM', terminal: 'lobby', records: [], reason: 'not-approved' },
  });
  expect(standing, 'its records are gone from memory').toBe(
    'outage 7QX3ZM: lobby is out of service: not-approved',
  );
});

it.each([
  ['that the agent no longer has in memory', []],
  ['while no agent runs', undefined],
])('an outage %s is to be looked for in the log', async (_, log) => {
  const { code, out, error } = await platenShow('7QX3ZM', log);
  expect([code, out]).toEqual([1, '']);
  expect(error).toMatch(/does not know the outage 7QX3ZM\. In the log: journalctl -u platen \| grep 7QX3ZM$/);
});

it('the code of a release is found first, whatever it looks like', async () => {
  const { code, out } = await platenShow('0000-0000', lines);
  expect([code, out]).toEqual([0, expect.stringMatching(/^00000000  lobby .* CONFIRMED/m)]);
});
