import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import type { GatewaySources } from '../../src/operations/gateway-metrics.ts';
import type { Metrics } from '../../src/operations/metrics.ts';
import { createMetrics } from '../../src/operations/metrics.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const clock = createSteeredClock();

const sources = {
  version: '0.1.0',
  stateDir: tmpdir(),
  outbox: () => ({ waiting: 3, held: 2, deadLetters: 1 }),
  outboxOldest: () => seconds(90),
  tokenExpiresIn: () => seconds(1800),
  conditions: () => [
    {
      code: 'printer-not-ready',
      severity: 'warning',
      scope: 'attic',
      subject: 'printer',
      detail: 'no paper',
    } as const,
  ],
  internalFaults: () => 2,
  certificates: () => new Map([['cloud.example:7300', 1_900_000_000_000]]),
  callRates: () => new Map([['cloud.example:7300', 50]]),
  terminalsNow: () => [
    {
      id: 'lobby',
      isReady: true,
      isServed: true,
      hasSession: true,
      certificateEnds: 1_800_000_000_000,
      supplies: [{ printer: '', name: 'Black', level: 0.25, fills: false }],
    },
    { id: 'attic', isReady: false, isServed: true, hasSession: false, certificateEnds: undefined },
  ],
};

/** Of two terminals. */
function measure(changes: Partial<GatewaySources> = {}): Metrics {
  const metrics = createMetrics({ clock });
  metrics.readFrom({ ...sources, ...changes });
  metrics.terminalsAre([
    { id: 'lobby', readers: ['front'] },
    { id: 'attic', readers: [] },
  ]);
  return metrics;
}

/** Every series of the text as `name{labels}` with its value. */
async function series(metrics: { text(): Promise<string> }): Promise<Map<string, number>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

describe('the metrics', () => {
  it('show every series of the contract from the start', async () => {
    const shown = await series(measure());
    const expected: [string, number][] = [
      ['platen_releases_total{terminal="lobby",outcome="completed"}', 0],
      ['platen_internal_faults_total', 2],
      ['platen_releases_total{terminal="lobby",outcome="failed"}', 0],
      ['platen_releases_total{terminal="lobby",outcome="unknown"}', 0],
      ['platen_releases_total{terminal="attic",outcome="completed"}', 0],
      ['platen_release_stage_seconds_count{stage="first_byte"}', 0],
      ['platen_outbox_records', 5],
      ['platen_outbox_dead_letters', 1],
      ['platen_reader_up{terminal="lobby",reader="front"}', 0],
      ['platen_printer_ready{terminal="lobby"}', 0],
      ['platen_cloud_up', 0],
      ['platen_cloud_limit_wait_seconds_count{for="person"}', 0],
      ['platen_cloud_limit_wait_seconds_count{for="background"}', 0],
      ['platen_cloud_refused_calls_total', 0],
      ['platen_cloud_calls_per_second_limit{server="cloud.example:7300"}', 50],
      ['platen_token_expires_seconds', 1800],
      [`platen_build_info{version="0.1.0",node="${process.versions.node}"}`, 1],
    ];
    for (const [name, value] of expected) expect([name, shown.get(name)]).toEqual([name, value]);
    const names = [...shown.keys()].join('\n');
    expect(names).toMatch(/^nodejs_eventloop_lag_seconds/m);
    expect(names).not.toMatch(/^nodejs_eventloop_lag_p99/m);
    expect(names).toMatch(/^process_resident_memory_bytes/m);
  });

  it('count releases by terminal and outcome', async () => {
    const metrics = measure();
    metrics.releaseEnded({ terminal: 'lobby', outcome: 'completed' });
    metrics.releaseEnded({ terminal: 'lobby', outcome: 'completed' });
    metrics.releaseEnded({ terminal: 'attic', outcome: 'unknown' });
    const shown = await series(metrics);
    expect(shown.get('platen_releases_total{terminal="lobby",outcome="completed"}')).toBe(2);
    expect(shown.get('platen_releases_total{terminal="lobby",outcome="unknown"}')).toBe(0);
    expect(shown.get('platen_releases_total{terminal="attic",outcome="unknown"}')).toBe(1);
  });

  it('tell stages of 5 ms from stages of a minute', async () => {
    const metrics = measure();
    for (const span of [5, 6, 900, 59_000, 61_000])
      metrics.stageTook({ stage: 'printed', span: milliseconds(span) });
    const shown = await series(metrics);
    const below = (limit: string) =>
      shown.get(`platen_release_stage_seconds_bucket{le="${limit}",stage="printed"}`);
    expect(['0.005', '0.01', '1', '60', '+Inf'].map(below)).toEqual([1, 2, 3, 4, 5]);
  });

  it('follow readers, printers and the cloud up and down', async () => {
    const metrics = measure();
    const states = async () => {
      const shown = await series(metrics);
      return [
        shown.get('platen_reader_up{terminal="lobby",reader="front"}'),
        shown.get('platen_printer_ready{terminal="lobby"}'),
        shown.get('platen_cloud_up'),
      ];
    };
    metrics.readerIs({ terminal: 'lobby', reader: 'front', state: 'up' });
    metrics.printerIs({ terminal: 'lobby', state: 'ready' });
    metrics.cloudIs('up');
    expect(await states()).toEqual([1, 1, 1]);
    metrics.readerIs({ terminal: 'lobby', reader: 'front', state: 'down' });
    metrics.printerIs({ terminal: 'lobby', state: 'not-ready' });
    metrics.cloudIs('down');
    expect(await states()).toEqual([0, 0, 0]);
  });

  it('tell what an administrator alerts on, as it is at the moment of the scrape', async () => {
    const shown = await series(measure());
    const expected: [string, number][] = [
      ['platen_condition{scope="attic",code="printer-not-ready",severity="warning"}', 1],
      ['platen_terminal_ready{terminal="lobby"}', 1],
      ['platen_terminal_ready{terminal="attic"}', 0],
      ['platen_session_open{terminal="lobby"}', 1],
      ['platen_session_open{terminal="attic"}', 0],
      ['platen_printer_supply_level{terminal="lobby",printer="",supply="Black"}', 0.25],
      ['platen_outbox_oldest_seconds', 90],
      ['platen_printer_certificate_expiry_timestamp_seconds{terminal="lobby"}', 1_800_000_000],
      ['platen_cloud_certificate_expiry_timestamp_seconds{server="cloud.example:7300"}', 1_900_000_000],
    ];
    for (const [name, value] of expected) expect([name, shown.get(name)]).toEqual([name, value]);
    expect(
      shown.has('platen_printer_certificate_expiry_timestamp_seconds{terminal="attic"}'),
      'a printer without one',
    ).toBe(false);
    const [avail = 0, size = 0] = ['avail', 'size'].map((of) =>
      shown.get(`platen_state_filesystem_${of}_bytes`),
    );
    expect(avail).toBeGreaterThan(0);
    expect(size).toBeGreaterThanOrEqual(avail);
  });

  it('say nothing of a disk that cannot be looked at, and all the rest', async () => {
    const shown = await series(measure({ stateDir: '/nowhere' }));
    expect([...shown.keys()].filter((name) => name.includes('filesystem'))).toEqual([]);
    expect(shown.get('platen_outbox_records')).toBe(5);
  });

  it('tell the median and the 95th percentile of the last quarter of an hour, of each stage', async () => {
    const metrics = measure();
    const quantile = async (which: 'p50' | 'p95') =>
      (await series(metrics)).get(`platen_release_stage_${which}_seconds{stage="login"}`);
    expect(await quantile('p50'), 'nothing was measured').toBeUndefined();
    for (let span = 1; span <= 100; span += 1) metrics.stageTook({ stage: 'login', span: seconds(span) });
    expect([await quantile('p50'), await quantile('p95')]).toEqual([50, 95]);
    await clock.advance(minutes(16));
    expect(await quantile('p50'), 'it is long ago').toBeUndefined();
    for (let count = 0; count < 5000; count += 1) metrics.stageTook({ stage: 'login', span: seconds(3) });
    expect([await quantile('p50'), await quantile('p95')]).toEqual([3, 3]);
  });

  it('drop the series of terminals and readers that are gone, and begin those of new ones at 0', async () => {
    const metrics = measure();
    metrics.releaseEnded({ terminal: 'lobby', outcome: 'completed' });
    metrics.readerIs({ terminal: 'lobby', reader: 'front', state: 'up' });
    metrics.terminalsAre([
      { id: 'lobby', readers: ['back'] },
      { id: 'cellar', readers: [] },
    ]);
    const shown = await series({ text: metrics.text });
    const pushed = [...shown.keys()].filter((name) =>
      /^platen_(?:releases|reader|cards|printer_ready)/.test(name),
    );
    expect(pushed.filter((name) => /"attic"|"front"/.test(name))).toEqual([]);
    expect(shown.get('platen_releases_total{terminal="lobby",outcome="completed"}'), 'it is kept').toBe(1);
    expect(shown.get('platen_reader_up{terminal="lobby",reader="back"}')).toBe(0);
    expect(shown.get('platen_printer_ready{terminal="cellar"}')).toBe(0);
  });

  it('show 0 seconds while there is no token', async () => {
    const shown = await series(measure({ tokenExpiresIn: () => undefined }));
    expect(shown.get('platen_token_expires_seconds')).toBe(0);
  });

  it('F11: tell of a fleet where there is one, and of a terminal only where it is served', async () => {
    const members = [
      { name: 'gateway-a', isSelf: true, isBeating: true, lastBeatSeconds: 0 },
      { name: 'gateway-b', isSelf: false, isBeating: false, lastBeatSeconds: 60 },
    ];
    const fleet = {
      site: 'main',
      engine: { isUp: false },
      beatAgeSeconds: null,
      members,
      held: 1,
      terminals: 2,
      load: { octets: 8192, openClaims: 1, owedRecords: 2, overdueRecords: 1, lookSeconds: 0.004 },
    };
    const [lobby, attic] = sources.terminalsNow();
    const [wrong] = sources.conditions();
    const shown = await series(
      measure({
        fleetNow: () => fleet,
        conditions: () =>
          ['lobby', 'attic', 'agent'].flatMap((scope) => (wrong ? [{ ...wrong, scope }] : [])),
        terminalsNow: () =>
          [lobby, attic].flatMap((one) => (one ? [{ ...one, isServed: one === lobby }] : [])),
      }),
    );
    const reported = [...shown].filter(([name]) => /^platen_(?:fleet|terminal_ready|condition)/.test(name));
    expect(Object.fromEntries(reported)).toEqual({
      platen_fleet_engine_up: 0,
      platen_fleet_members: 1,
      platen_fleet_terminals_held: 1,
      platen_fleet_beat_age_seconds: -1,
      platen_fleet_rollout_halted: 0,
      platen_fleet_tables_bytes: 8192,
      platen_fleet_claims_open: 1,
      platen_fleet_records_owed: 2,
      platen_fleet_records_overdue: 1,
      platen_fleet_look_seconds: 0.004,
      'platen_fleet_config_info{version="own"}': 1,
      'platen_terminal_ready{terminal="lobby"}': 1,
      'platen_condition{scope="lobby",code="printer-not-ready",severity="warning"}': 1,
      'platen_condition{scope="agent",code="printer-not-ready",severity="warning"}': 1,
    });
    expect([...(await series(measure())).keys()].filter((name) => name.includes('fleet'))).toEqual([]);
  });

  it('F15, F16: tell which configuration of the fleet is in force, as it changes, and that a roll-out has halted', async () => {
    const rollout = { number: 3, state: 'halted', gateway: 'gateway-b', why: 'refuses it' };
    let version = 7;
    const metrics = measure({
      fleetNow: () => ({
        site: 'main',
        engine: { isUp: true },
        beatAgeSeconds: 0,
        members: [],
        held: 0,
        terminals: 0,
        configuration: { version, shadowed: [], rollout },
      }),
    });
    await metrics.text();
    version = 8;
    // Of the load of the engine nothing is known yet.
    const reported = [...(await series(metrics))].filter(([name]) =>
      /^platen_fleet_(?:config|rollout|tables|claims|records|look)/.test(name),
    );
    expect(Object.fromEntries(reported)).toEqual({
      platen_fleet_rollout_halted: 1,
      'platen_fleet_config_info{version="8"}': 1,
    });
  });

  it('of two agents in one process are kept apart', async () => {
    const [one, other] = [measure(), measure()];
    one.cloudIs('up');
    expect((await series(other)).get('platen_cloud_up')).toBe(0);
  });
});
