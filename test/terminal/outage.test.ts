/** From what stands in the way of a terminal to what the person and the operator are told of it. */
import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { problemKinds } from '../../src/domain/problem/problem-kinds.ts';
import type { HoldStanding } from '../../src/domain/ports/holds.ts';
import type { Obstacle } from '../../src/enrollment/obstacle.ts';
import { qrOf } from '../../src/kiosk/server/qr.ts';
import { ignoredBecause } from '../../src/domain/terminal/outage-words.ts';
import { TerminalOutage } from '../../src/terminal/outage.ts';
import { scan } from '../support/qr-scanner.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const waiting: Obstacle = { code: 'terminal-not-authorized', detail: 'somebody has to approve' };
const unreachable: Obstacle = { code: 'cloud-unreachable', detail: 'connection refused' };

function lobby({ support }: { support?: string } = {}) {
  const log = recordLog();
  const now = {
    state: 'outOfService',
    obstacle: undefined as Obstacle | undefined,
    isEnabled: true,
    hold: { is: 'held', epoch: 1 } as HoldStanding,
  };
  const terminal = { state: () => now.state };
  const outage = new TerminalOutage({
    terminal: 'lobby',
    obstacle: () => now.obstacle,
    isEnabled: () => now.isEnabled,
    hold: () => now.hold,
    support: () => support,
    qrOf,
    chance: systemChance,
    clock: createSteeredClock(),
    log: log.log,
  });
  return {
    outage,
    /** Whether there is anything new to show. */
    is(change: Partial<typeof now>) {
      Object.assign(now, change);
      return outage.look(terminal);
    },
    reported: () =>
      log.records('terminal out of service').map(({ level, reason, code }) => [level, reason, code]),
    references: () =>
      ['terminal out of service', 'terminal back in service'].map((msg) =>
        log.records(msg).map(({ reference }) => reference),
      ),
    records: log.records,
    text: log.text,
  };
}

it.each([
  ['terminal-not-authorized', 'not-approved'],
  ['registration-refused', 'not-approved'],
  ['trust-withdrawn', 'not-approved'],
  ['cloud-unreachable', 'service-away'],
  ['cloud-busy', 'service-away'],
  ['cloud-protocol', 'service-away'],
  ['api-key-refused', 'needs-setup'],
  ['device-key-refused', 'needs-setup'],
  ['registration-faulty', 'needs-setup'],
  ['store-refused', 'needs-setup'],
] as const)('%s shows as %s, and the record says what to do', (code, reason) => {
  const { is, outage, records } = lobby();
  expect(is({ obstacle: { code, detail: 'as it was seen' } })).toBe(true);
  const { reference = '' } = outage.current() ?? {};
  expect(ignoredBecause(outage.current())).toEqual({ reason, code });
  expect(reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}$/);
  const [record] = records('terminal out of service');
  const { advice } = problemKinds[code];
  expect(record).toMatchObject({ level: 'warn', reference, reason, code, detail: 'as it was seen', advice });
});

it('a terminal that merely starts has a reference and frightens nobody', () => {
  const { is, outage, reported } = lobby();
  is({});
  expect(outage.current()).toMatchObject({ reason: 'starting' });
  expect(reported()).toEqual([['info', 'starting', undefined]]);
});

it('an outage keeps its reference whatever its reason, and the next one has another', () => {
  const { is, outage, reported, references } = lobby();
  is({});
  const first = outage.current()?.reference;
  is({ obstacle: unreachable });
  is({ obstacle: waiting });
  // Approved; the terminal follows when its output port is known.
  expect(is({ obstacle: undefined })).toBe(false);
  expect(outage.current()).toMatchObject({ reason: 'not-approved', reference: first });
  expect(is({ state: 'prompting' })).toBe(true);
  expect(outage.current()).toBeUndefined();
  expect(is({ state: 'choosing' })).toBe(false);
  is({ state: 'outOfService', isEnabled: false });
  const second = outage.current()?.reference;
  expect(second).not.toBe(first);
  expect(reported()).toEqual([
    ['info', 'starting', undefined],
    ['warn', 'service-away', 'cloud-unreachable'],
    ['warn', 'not-approved', 'terminal-not-authorized'],
    ['warn', 'switched-off', 'terminal-disabled'],
  ]);
  expect(references()).toEqual([[first, first, first, second], [first]]);
});

it('what is known already is neither told nor shown again', () => {
  const { is, reported } = lobby();
  is({ obstacle: waiting });
  for (let looks = 0; looks < 5; looks += 1) {
    expect(is({ obstacle: { ...waiting, detail: 'in other words' } })).toBe(false);
  }
  expect(reported()).toHaveLength(1);
});

it('a service that comes and goes all day does not fill the log, and the first record is there (I8)', () => {
  const { is, outage, reported, records } = lobby();
  for (let times = 0; times < 500; times += 1) {
    is({ obstacle: unreachable });
    is({ obstacle: waiting });
  }
  expect(reported().filter(([level]) => level === 'warn')).toHaveLength(61);
  expect(records('terminal out of service')[0]).toMatchObject({ reference: outage.current()?.reference });
});

it('the user code is on the screen and in the status, and not in the log (T24)', () => {
  const { is, outage, text } = lobby();
  is({ obstacle: waiting });
  expect(is({ obstacle: { ...waiting, userCode: 'WDJB-MJHT' } })).toBe(true);
  expect(outage.current()).toMatchObject({ userCode: 'WDJB-MJHT' });
  const { reference } = outage.current() ?? {};
  expect(outage.status()).toEqual({
    reason: 'not-approved',
    code: 'terminal-not-authorized',
    reference,
    userCode: 'WDJB-MJHT',
  });
  expect(text()).not.toContain('WDJB');
});

it('the code to scan is made once for each outage, and says where to look', () => {
  const { is, outage } = lobby();
  is({ obstacle: unreachable });
  const { qr, reference } = outage.current() ?? {};
  is({ obstacle: waiting });
  expect(outage.current()?.qr).toBe(qr);
  expect(qr && scan(qr)).toBe(`platen lobby ${reference}`);
});

it('the code to scan leads to where the operator helps, if the configuration names that', () => {
  const { is, outage } = lobby({ support: 'mailto:help@example.org?subject={terminal}%20{reference}' });
  is({ obstacle: unreachable });
  const { qr, reference } = outage.current() ?? {};
  expect(qr && scan(qr)).toBe(`mailto:help@example.org?subject=lobby%20${reference}`);
});

it('the end of the agent is the end of no outage', () => {
  const { is, references } = lobby();
  is({ obstacle: waiting });
  expect(is({ state: 'stopped' })).toBe(false);
  expect(references()[1]).toEqual([]);
});

it('F11: a terminal of another gateway says which one serves it, and is nobody’s fault', () => {
  const { is, outage, reported, records } = lobby();
  is({ hold: { is: 'elsewhere', by: 'gateway-b' } });
  expect(outage.current()).toMatchObject({ reason: 'elsewhere', by: 'gateway-b' });
  expect(reported()).toEqual([['info', 'elsewhere', undefined]]);
  expect(is({ hold: { is: 'elsewhere', by: 'gateway-c' } })).toBe(true);
  expect(outage.current()).toMatchObject({ reason: 'elsewhere', by: 'gateway-c' });
  expect(records('terminal out of service')).toHaveLength(1);
});

it('F11: what nobody can be asked about waits for the engine, and what nobody holds yet is starting', () => {
  const { is, outage, reported } = lobby();
  is({ hold: { is: 'elsewhere' } });
  expect(outage.current()).toMatchObject({ reason: 'starting' });
  is({ hold: { is: 'engine-away' } });
  expect(outage.current()).toMatchObject({ reason: 'engine-away' });
  expect(reported()).toEqual([
    ['info', 'starting', undefined],
    ['warn', 'engine-away', 'fleet-engine-away'],
  ]);
});
