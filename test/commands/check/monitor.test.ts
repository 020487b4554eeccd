/** What `platen check --monitor` tells Nagios and Icinga, and what is a warning and what critical. */
import { describe, expect, it } from 'vitest';
import { monitored, notExamined } from '../../../src/commands/check/monitor.ts';
import type { Kind } from '../../../src/commands/check/weight.ts';
import type { Finding } from '../../../src/commands/check/examination.ts';
import { ConfigInvalid } from '../../../src/config/mistakes.ts';
import { sampleStatus, sampleTerminal } from '../sample-status.ts';

const finding = (kind: Kind, changes: Partial<Finding> = {}): Finding => ({
  what: kind,
  kind,
  state: 'ok',
  detail: 'well',
  milliseconds: 1,
  ...changes,
});
const failed = (kind: Kind, changes: Partial<Finding> = {}) =>
  finding(kind, { state: 'failed', detail: 'mend it', ...changes });
const reported = (
  findings: readonly Finding[],
  status: ReturnType<typeof sampleStatus> | undefined = sampleStatus(),
) => monitored({ findings, status, terminals: status?.terminals.length ?? 1, milliseconds: 820 });

it('is one line with performance data while all is well', () => {
  expect(reported([finding('config'), finding('agent'), finding('converter', { state: 'waiting' })])).toEqual(
    {
      code: 0,
      text:
        'PLATEN OK - 3 checks, 1 of 1 terminals ready | time=0.82s;;;0 failed=0;0;;0 terminals_ready=1;1:;1:;0;1 ' +
        'outbox=0;;;0 dead_letters=0;0;;0 token=3240s;;;0',
    },
  );
});

it('is well on a gateway that stands by: others serve its terminals', () => {
  const outage = { reason: 'elsewhere', by: 'gateway-a', reference: '' };
  const status = sampleStatus({ ready: false, terminals: [sampleTerminal({ ready: false, outage })] });
  const { code, text } = reported([finding('agent')], status);
  expect(code).toBe(0);
  expect(text).toContain('0 of 1 terminals ready, 1 served by other gateways |');
  expect(text).toContain(' terminals_ready=0;0:;0:;0;1 ');
});

it('says of which printers nothing is known, as platen status does', () => {
  const printer = { uri: 'socket://10.0.0.7', state: 'idle', ready: true, assumed: true };
  const status = sampleStatus({ terminals: [sampleTerminal({ printer })] });
  const { code, text } = reported([finding('agent')], status);
  expect(code).toBe(0);
  expect(text).toContain(
    '1 of 1 terminals ready, 1 printer not asked: a raw printer tells nothing until something is sent |',
  );
});

const twoTerminals = sampleStatus({
  terminals: [sampleTerminal(), sampleTerminal({ id: 'b', ready: false })],
});
const noneReady = sampleStatus({ terminals: [sampleTerminal({ ready: false })] });
const server = (scope: string, state: Finding['state']) =>
  finding('cloud', { scope, state, what: `cloud ${scope}` });

it.each<[string, readonly Finding[], ReturnType<typeof sampleStatus>, number]>([
  ['a full disk', [failed('room')], sampleStatus(), 2],
  ['a damaged ledger', [failed('ledger')], sampleStatus(), 2],
  ['an agent that does not run', [finding('agent', { state: 'waiting' })], sampleStatus(), 2],
  [
    'a device that waits for its approval',
    [finding('device token', { state: 'waiting' })],
    sampleStatus(),
    2,
  ],
  ['the only server away', [server('a', 'failed')], sampleStatus(), 2],
  ['one server of two away', [server('a', 'ok'), server('b', 'failed')], sampleStatus(), 1],
  [
    'the name of one server of two',
    [server('a', 'ok'), failed('name lookup', { scope: 'b' })],
    sampleStatus(),
    1,
  ],
  ['both servers away', [server('a', 'failed'), server('b', 'failed')], sampleStatus(), 2],
  ['a printer of two terminals', [failed('printer')], twoTerminals, 1],
  ['the printer of the only terminal', [failed('printer')], noneReady, 2],
  ['an open key file', [failed('permissions')], sampleStatus(), 1],
  ['a wrong clock', [failed('clock')], sampleStatus(), 1],
  ['a page that does not answer', [failed('kiosk page')], sampleStatus(), 1],
  ['dead letters', [failed('history records')], sampleStatus(), 1],
  ['what was skipped', [finding('TLS', { state: 'skipped' })], sampleStatus(), 0],
])('%s gives exit %4$i', (_, findings, status, code) => {
  expect(reported(findings, status).code).toBe(code);
});

describe('several things to mend', () => {
  it('are led by the worst, a line each below', () => {
    const { text } = reported([failed('clock'), failed('room'), finding('config')]);
    const [first, ...rest] = text.split('\n');
    expect(first).toMatch(
      /^PLATEN CRITICAL - room: mend it \(2 of 3 checks, 1 of 1 terminals ready\) \| time=/,
    );
    expect(rest).toEqual(['[CRITICAL] room: mend it', '[WARNING] clock: mend it']);
  });

  it('are cut at what a monitoring system keeps', () => {
    const lines = reported(Array.from({ length: 30 }, () => failed('printer'))).text.split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([22, 'and 10 more; see platen check']);
  });
});

it('keeps its bar to itself, and lets nothing of a printer forge a line (T21)', () => {
  const detail = 'x | time=0s\nPLATEN OK\u001B[2J';
  const { text } = reported([failed('printer', { detail })]);
  expect([text.split('|').length, text.split('\n').length]).toEqual([2, 1]);
  expect(text).not.toContain('\u001B');
});

it('is UNKNOWN, in a line for each mistake, where the configuration cannot be used', () => {
  const mistakes = [
    { path: ['colour'], message: 'is not a key of this file', line: 3 },
    { path: ['cloud', 'baseUrl'], message: 'is missing' },
  ];
  expect(notExamined(new ConfigInvalid('platen.yaml', mistakes))).toEqual({
    code: 3,
    text: 'PLATEN UNKNOWN - platen.yaml:3: colour: is not a key of this file\nplaten.yaml: cloud.baseUrl: is missing',
  });
  expect(notExamined(new Error('boom')).text).toBe('PLATEN UNKNOWN - boom');
});
