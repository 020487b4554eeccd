/** What `platen status` shows, as it stands on a screen of 80 columns. */
import { describe, expect, it } from 'vitest';
import type { Paint } from '../../../src/commands/terminal-text/screen.ts';
import type { Look, Sight } from '../../../src/commands/status/look.ts';
import type { ConditionStatus } from '../../../src/commands/status/schema.ts';
import { statusText } from '../../../src/commands/status/view.ts';
import { localTime } from '../../../src/commands/terminal-text/local-time.ts';
import type { ReleaseRow } from '../../../src/domain/ports/ledger.ts';
import { sampleNow, sampleStatus, sampleTerminal } from '../sample-status.ts';

/** On the clock on the wall, where the tests run. */
const at = (time: string) => localTime(`2026-11-22T${time}Z`);
const plain: Paint = (text) => text;
const look: Look = { width: 80, dot: '●', paint: plain, isWhole: false };
const show = (sight: Partial<Sight>, changes: Partial<Look> = {}) =>
  statusText({ status: sampleStatus(), releases: [], now: sampleNow, ...sight }, { ...look, ...changes });

const release = (changes: Partial<ReleaseRow> = {}): ReleaseRow => ({
  releaseId: '7f3a9c2155aa',
  terminal: 'lobby',
  documentUuid: '0b5c',
  state: 'CONFIRMED',
  outcome: 'completed',
  confirmation: 'device',
  pages: undefined,
  problem: undefined,
  startedAt: '2026-11-22T03:50:11.250Z',
  endedAt: '2026-11-22T03:50:15.450Z',
  deletionOwed: false,
  ...changes,
});

const printerAway: ConditionStatus = {
  code: 'printer-unreachable',
  severity: 'error',
  scope: 'annex',
  subject: 'printer',
  detail: 'no answer from 10.0.0.8',
  since: '2026-11-22T03:40:00.000Z',
};

it('says in its first line that the service is away, and that nobody can release', () => {
  const server = { baseUrl: 'https://cloud.example:7300', isUp: false, enrollment: 'authorized' };
  const status = sampleStatus({
    ready: false,
    servers: [server],
    terminals: [sampleTerminal({ ready: false })],
  });
  expect(show({ status })).toMatch(
    /^● platen \S+: not ready, the print service is away, 0 of 1 terminals ready\n/,
  );
  const another = { ...server, baseUrl: 'https://another.example', isUp: true };
  expect(show({ status: sampleStatus({ servers: [server, another] }) })).not.toContain('service is away');
});

it('is standby where other gateways serve all of its terminals', () => {
  const outage = { reason: 'elsewhere', by: 'gateway-a', reference: '' };
  const status = sampleStatus({ ready: false, terminals: [sampleTerminal({ ready: false, outage })] });
  expect(show({ status }).split('\n')[0]).toContain(': standby, 0 of 1 terminals ready');
});

it('does not call the engine away where another gateway is the member', () => {
  const engine = { isUp: false };
  const fleet = { site: 'main', engine, beatAgeSeconds: null, members: [], held: 0, terminals: 1 };
  const text = show({ status: sampleStatus({ fleet, conditions: [] }) }).replace(/\s+/g, ' ');
  expect(text).toContain('site main; the engine does not answer; serves 0 of 1 terminals');
  expect(text).not.toContain('members are running');
  const conditions = [{ ...printerAway, code: 'fleet-member-twice', scope: 'agent' }];
  const twice = show({ status: sampleStatus({ fleet, conditions }) }).replace(/\s+/g, ' ');
  expect(twice).toContain(
    'site main; another gateway uses the identity of this member; serves 0 of 1 terminals',
  );
});

it('is this of an agent with four terminals, one of them away (golden)', () => {
  const status = sampleStatus({
    config: {
      readAt: '2026-11-22T02:00:00.000Z',
      file: '/etc/platen/platen.yaml',
      pending: ['terminal annex'],
    },
    surroundings: {
      account: { id: 7, name: 'Example', timezone: 'Europe/Berlin' },
      locations: ['Head office'],
      seenAt: '2026-11-22T02:00:04.000Z',
    },
    outbox: { waiting: 3, held: 1, deadLetters: 0, oldest: 754_000 },
    conditions: [printerAway],
    terminals: [
      sampleTerminal(),
      sampleTerminal({ id: 'library', state: 'releasing' }),
      sampleTerminal({
        id: 'annex',
        ready: false,
        printer: { uri: 'ipp://10.0.0.8/ipp/print', state: 'unreachable', needs: null },
        prompt: { tty: '/dev/tty2', state: 'up' },
      }),
      sampleTerminal({
        id: 'the-one-at-the-far-end-of-hall-3',
        printer: { uri: 'ipp://10.0.0.9/ipp/print', state: 'stopped', needs: 'paper' },
        readers: ['a', 'b', 'c'].map((name) => ({
          name,
          kind: 'serial',
          frames: 0,
          garbage: 0,
          reconnects: 0,
          state: name === 'b' ? 'down' : 'up',
        })),
      }),
    ],
  });
  const releases = [
    release(),
    release({
      releaseId: '00112233',
      terminal: 'library',
      outcome: undefined,
      state: 'SENT',
      endedAt: undefined,
    }),
    release({ releaseId: 'deadbeef', outcome: 'unknown', state: 'UNKNOWN' }),
  ];
  expect(`\n${show({ status, releases })}\n`).toBe(`
● platen 0.1.0: ready, with conditions, 3 of 4 terminals ready
   agent: pid 4711, up since ${at('02:00:00')} (2 h)
   cloud: https://cloud.example:7300 answers since ${at('02:00:01')} (1 h 59
          min), version 3.2, authorized
 account: Example (7), Europe/Berlin, location Head office
  device: authorized, the device token is valid for 54 min
  config: /etc/platen/platen.yaml, read ${at('02:00:00')} (2 h); waits for a
          quiet moment: terminal annex
 history: 3 waiting, the oldest for 12 min 34 s, 1 held, 0 dead letters

  TERMINAL                  STATE         PRINTER      READERS    PROMPT
● annex                     not ready     away         up         up
● the-one-at-the-far-end-of-hall-3
                            ready         needs paper  2 of 3 up  -
● lobby                     ready         ready        up         -
● library                   in a session  ready        up         -

CONDITIONS
error: annex, printer: no answer from 10.0.0.8. Check the power, the network
  and the address of the printer. Since ${at('03:40:00')} (20 min).

LAST RELEASES
RELEASE   STARTED              OUTCOME    TOOK        TERMINAL
7f3a9c21  ${at('03:50:11')}  completed  4.2 s       lobby
00112233  ${at('03:50:11')}  sent       9 min 48 s  library
deadbeef  ${at('03:50:11')}  unknown    4.2 s       lobby

platen status --terminal ID shows one terminal and the sources of its settings
`);
});

describe('hundreds of terminals', () => {
  const terminals = Array.from({ length: 250 }, (_, index) =>
    sampleTerminal({ id: `t${index}`, ready: index % 100 !== 7 }),
  );
  const conditions = Array.from({ length: 30 }, (_, index) => ({ ...printerAway, scope: `t${index}` }));
  const status = sampleStatus({ terminals, conditions });

  it('are those with trouble, and a count of the healthy ones', () => {
    const lines = show({ status }).split('\n');
    expect(lines.filter((line) => /^● t\d+ /.test(line)).map((line) => line.split(/\s+/)[1])).toEqual([
      't7',
      't107',
      't207',
    ]);
    expect(lines).toContain('  247 more are ready; platen status --all shows them');
    expect(lines).toContain('and 20 more; platen status --all shows them');
  });

  it('are all of them with --all', () => {
    const text = show({ status }, { isWhole: true });
    expect(text.match(/^● t\d+ /gm)).toHaveLength(250);
    expect(text.match(/^error: /gm)).toHaveLength(30);
    expect(text).not.toContain('--all');
  });
});

describe('what others have named', () => {
  const evil = '\u001B[2Jowned\u202E\nfake line';
  const status = sampleStatus({
    version: evil,
    servers: [{ baseUrl: evil, isUp: true, since: evil, version: evil, enrollment: evil }],
    surroundings: { account: { id: 1, name: evil, timezone: evil }, locations: [evil], seenAt: evil },
    config: { readAt: evil, file: evil, pending: [evil] },
    enrollment: { state: evil, tokenExpiresIn: 1 },
    conditions: [{ ...printerAway, detail: evil, scope: evil, subject: evil, severity: evil, since: evil }],
    terminals: [
      sampleTerminal({
        id: evil,
        printer: { uri: evil, state: evil, needs: evil },
        readers: [{ name: evil, kind: evil, state: evil, frames: 0, garbage: 0, reconnects: 0 }],
        prompt: { tty: evil, state: evil },
        outage: { reason: evil, reference: evil, userCode: evil },
        settings: { [evil]: { value: evil, from: evil } },
        settingsSince: evil,
        settingsRead: evil,
      }),
    ],
  });

  it('never reaches the terminal unescaped (T21)', () => {
    const releases = [release({ terminal: evil, startedAt: evil })];
    const text = show({ status, releases });
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202E]/);
    expect(text).not.toMatch(/^fake line/m);
  });

  it('fits 80 columns, however long', () => {
    const long = 'x'.repeat(300);
    const longOnes = sampleStatus({
      servers: [{ baseUrl: `https://${long}`, isUp: false, enrollment: 'authorized' }],
      conditions: [{ ...printerAway, detail: `${long} ${long}` }],
      terminals: [sampleTerminal({ id: 'x'.repeat(32), printer: { uri: long, state: long } })],
    });
    const wide = show({ status: longOnes, releases: [release({ terminal: 'x'.repeat(32) })] })
      .split('\n')
      .filter((line) => line.length > 80);
    expect(wide).toEqual([]);
  });
});

it.each([
  [{ ready: false }, 'red'],
  [{ conditions: [printerAway] }, 'yellow'],
  [{}, 'green'],
])('has a dot of the colour of its state: %o is %s', (changes, color) => {
  const paint: Paint = (text, wanted) => (text === '●' ? `<${wanted}>` : text);
  expect(show({ status: sampleStatus(changes) }, { paint })).toMatch(new RegExp(`^<${color}> platen`));
});

it('says so where the ledger cannot be read, and shows the rest', () => {
  expect(show({ releases: undefined })).toContain(
    'This command cannot read the releases. Run it as root or as the user platen',
  );
});

it('takes an agent that is older than the command', () => {
  const { pid: _, startedAt: __, ...old } = sampleStatus({ outbox: { waiting: 1, held: 0, deadLetters: 0 } });
  expect(show({ status: old })).toContain('history: 1 waiting, 0 held, 0 dead letters');
});

it('does not call a raw printer ready that nobody has met', () => {
  const printer = { uri: 'socket://10.0.0.7', state: 'idle', ready: true, assumed: true };
  const text = show({ status: sampleStatus({ terminals: [sampleTerminal({ printer })] }) });
  expect(text).toMatch(/lobby +ready +not asked/);
  expect(text).toContain('not asked: a raw printer tells nothing until something is sent');
});
