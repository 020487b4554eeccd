/** What `platen fleet status` shows, of a few gateways and of a thousand. */
import { describe, expect, it } from 'vitest';
import type { RolloutSight } from '../../../src/commands/fleet/sight.ts';
import { fleetSight, isWell } from '../../../src/commands/fleet/sight.ts';
import type { FleetLook } from '../../../src/commands/fleet/view.ts';
import { fleetText } from '../../../src/commands/fleet/view.ts';
import type { GatewayDigest } from '../../../src/domain/gateway-digest.ts';
import type { SeenGateway } from '../../../src/domain/ports/gateways.ts';
import { sampleDigest } from '../../support/fleet/sample-digest.ts';

const look: FleetLook = {
  width: 100,
  dot: '●',
  paint: (text) => text,
  isWhole: false,
  problemsAlone: false,
};
const load = { octets: 12_345_678, openClaims: 1, owedRecords: 2, overdueRecords: 0, lookMilliseconds: 3 };
const about = { fleet: '5d2f', engine: { place: 'db1:5432', version: '15.14', ...load }, rollout: null };
const show = (seen: readonly SeenGateway[], changes: Partial<FleetLook> = {}) =>
  fleetText(fleetSight(seen, about), { ...look, ...changes });

const gateway = (digest: Partial<GatewayDigest> = {}, more: Partial<SeenGateway> = {}): SeenGateway => ({
  digest: sampleDigest(digest),
  hasTold: true,
  isBeating: true,
  isSelf: false,
  ageSeconds: 12,
  lastBeatSeconds: 0.4,
  ...more,
});

const jammed: Partial<GatewayDigest> = {
  name: 'gateway-c',
  site: 'annex',
  terminals: { configured: 3, served: 2, ready: 1, troubled: [{ id: 'lobby', state: 'printer-not-ready' }] },
  conditions: [
    {
      code: 'printer-not-ready',
      severity: 'error',
      scope: 'lobby',
      since: '2026-11-21T09:40:00.000Z',
    },
  ],
};

it('is this of four gateways, one of them gone and one with a printer that is not ready (golden)', () => {
  const text = show([
    gateway({ name: 'gateway-a' }),
    gateway(
      { name: 'gateway-b', version: '1.1.0', certificateDays: 9 },
      { isBeating: false, ageSeconds: 11_000, lastBeatSeconds: 10_980 },
    ),
    gateway({ ...jammed, config: { version: 7, wanted: 8, refused: null } }),
    gateway(
      {
        name: 'gateway-d',
        site: 'annex',
        certificateDays: null,
        terminals: { configured: 0, served: 0, ready: 0, troubled: [] },
      },
      { hasTold: false },
    ),
  ]);
  expect(text).toBe(
    `
● fleet at db1:5432, PostgreSQL 15.14: 3 of 4 gateways beat, 3 of 4 terminals ready, 3 with
  something wrong
  engine: tables 12.3 MB, 1 document in hand, 2 history records owed, counted in 3 ms
  versions: 1.2.0 (2), 1.1.0 (1)
  configurations: 7 (1), their own (2)

  SITE   GATEWAYS  READY  OLDEST  DEAD  UNKNOWN  CERT
● annex  2/2       1/2    -       0     0        90 d
● main   1/2       2/2    -       0     0        9 d

  GATEWAY    SITE   VERSION  CONFIG  READY  OLDEST  DEAD  UNKNOWN  CERT  BEAT
● gateway-c  annex  1.2.0    7→8     1/2/3  -       0     0        90 d  0 s
    error: printer-not-ready at lobby for 2 h 20 min
    warning: configuration 7, and 8 is wanted
● gateway-b  main   1.1.0    own     2/2/2  -       0     0        9 d   3 h 3 min
    error: gone for 3 h 3 min
    warning: a certificate runs out in 9 d
● gateway-d  annex  1.2.0    -       -      -       0     0        -     0 s
    warning: has told nothing yet
● gateway-a  main   1.2.0    own     2/2/2  -       0     0        90 d  0 s`.trimStart(),
  );
});

it('records that are owed for long are told apart', () => {
  const sight = fleetSight([], { ...about, engine: { ...about.engine, overdueRecords: 1 } });
  expect(fleetText(sight, look)).toContain('2 history records owed (1 for more than 5 minutes),');
});

describe('of a thousand gateways', () => {
  const thousand = Array.from({ length: 1000 }, (_, n) =>
    gateway({ name: `gateway-${n}`, site: `site-${n % 50}` }),
  );

  it('that are well it is a screen', () => {
    expect(show(thousand).split('\n')).toEqual([
      '● fleet at db1:5432, PostgreSQL 15.14: 1000 of 1000 gateways beat, 2000 of 2000 terminals ready, 0',
      '  with something wrong',
      '  engine: tables 12.3 MB, 1 document in hand, 2 history records owed, counted in 3 ms',
      '  50 more sites are well',
      '  1000 more gateways are well',
    ]);
    expect(show(thousand, { isWhole: true }).split('\n').length).toBeGreaterThan(1050);
  });

  it('with one that is ill, it comes first, and its site', () => {
    const text = show([...thousand, gateway(jammed)]);
    expect(text).toMatch(/\n● annex {2}1\/1 .*\n {2}50 more sites are well\n/);
    expect(text).toMatch(/\n● gateway-c .*\n {4}error: printer-not-ready at lobby/);
    expect(text.split('\n').length).toBeLessThan(16);
  });

  it('of which none is well, the first are shown, and the rest is a count', () => {
    const gone = thousand.map((one) => ({ ...one, isBeating: false }));
    const lines = show(gone).split('\n');
    expect(lines.length).toBeLessThan(200);
    expect(lines.at(-1)).toBe('  960 more gateways with something wrong; --all shows them');
  });
});

describe('F16: the newest roll-out', () => {
  const showing = (rollout: Partial<RolloutSight>) => {
    const order = { number: 3, version: 8, state: 'running', gateway: null, why: null } as const;
    const sight = fleetSight([gateway()], { ...about, rollout: { ...order, ...rollout } });
    const lines = fleetText(sight, { ...look, width: 200 }).split('\n');
    return [lines.find((line) => line.includes('roll-out')), isWell(sight)];
  };
  it.each([
    [{}, '  roll-out 3, to version 8, is under way', true],
    [{ state: 'paused' }, '  roll-out 3, to version 8, is paused; platen fleet resume lets it go on', true],
    [
      { state: 'halted', gateway: 'gateway-b', why: 'refuses it: no\u0007 file' },
      String.raw`  roll-out 3, to version 8, has halted: gateway-b refuses it: no\u0007 file`,
      false,
    ],
    [{ version: 0 }, "  roll-out 3, to only each gateway's own file, is under way", true],
    [{ state: 'finished' }, undefined, true],
  ] as const)('is told as %j', (rollout, line, well) => {
    expect(showing(rollout)).toEqual([line, well]);
  });
});

it('with --problems leaves out what is well, and says how much that is', () => {
  const text = show([gateway(), gateway(jammed)], { problemsAlone: true });
  expect(text).toContain('gateway-c');
  expect(text).not.toContain('gateway-a');
  expect(text).toContain('  1 more gateway is well');
});

it('shows what others have named without the power over the terminal that they may have written', () => {
  const text = show([gateway({ name: 'a\u001B[2J', site: 'b\u0007', version: '\u001B]0;x\u0007' })]);
  expect(text).not.toMatch(/[\u0007\u001B]/);
});
