import { describe, expect, it } from 'vitest';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import { createMetrics } from '../../src/operations/metrics.ts';

const sources = {
  version: '0.1.0',
  terminals: [
    { id: 'lobby', readers: ['front'] },
    { id: 'attic', readers: [] },
  ],
  outbox: () => ({ waiting: 3, held: 2, deadLetters: 1 }),
  tokenExpiresIn: () => seconds(1800),
};

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
    const shown = await series(createMetrics(sources));
    const expected: [string, number][] = [
      ['platen_releases_total{terminal="lobby",outcome="completed"}', 0],
      ['platen_releases_total{terminal="lobby",outcome="failed"}', 0],
      ['platen_releases_total{terminal="lobby",outcome="unknown"}', 0],
      ['platen_releases_total{terminal="attic",outcome="completed"}', 0],
      ['platen_release_stage_seconds_count{stage="first_byte"}', 0],
      ['platen_outbox_records', 5],
      ['platen_outbox_dead_letters', 1],
      ['platen_reader_up{terminal="lobby",reader="front"}', 0],
      ['platen_printer_ready{terminal="lobby"}', 0],
      ['platen_cloud_up', 0],
      ['platen_token_expires_seconds', 1800],
      [`platen_build_info{version="0.1.0",node="${process.versions.node}"}`, 1],
    ];
    for (const [name, value] of expected) expect([name, shown.get(name)]).toEqual([name, value]);
    const names = [...shown.keys()].join('\n');
    expect(names).toMatch(/^nodejs_eventloop_lag_seconds/m);
    expect(names).toMatch(/^process_resident_memory_bytes/m);
  });

  it('count releases by terminal and outcome', async () => {
    const metrics = createMetrics(sources);
    metrics.releaseEnded({ terminal: 'lobby', outcome: 'completed' });
    metrics.releaseEnded({ terminal: 'lobby', outcome: 'completed' });
    metrics.releaseEnded({ terminal: 'attic', outcome: 'unknown' });
    const shown = await series(metrics);
    expect(shown.get('platen_releases_total{terminal="lobby",outcome="completed"}')).toBe(2);
    expect(shown.get('platen_releases_total{terminal="lobby",outcome="unknown"}')).toBe(0);
    expect(shown.get('platen_releases_total{terminal="attic",outcome="unknown"}')).toBe(1);
  });

  it('tell stages of 5 ms from stages of a minute', async () => {
    const metrics = createMetrics(sources);
    for (const span of [5, 6, 900, 59_000, 61_000])
      metrics.stageTook({ stage: 'printed', span: milliseconds(span) });
    const shown = await series(metrics);
    const below = (limit: string) =>
      shown.get(`platen_release_stage_seconds_bucket{le="${limit}",stage="printed"}`);
    expect(['0.005', '0.01', '1', '60', '+Inf'].map(below)).toEqual([1, 2, 3, 4, 5]);
  });

  it('follow readers, printers and the cloud up and down', async () => {
    const metrics = createMetrics(sources);
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

  it('show 0 seconds while there is no token', async () => {
    const shown = await series(createMetrics({ ...sources, tokenExpiresIn: () => undefined }));
    expect(shown.get('platen_token_expires_seconds')).toBe(0);
  });

  it('of two agents in one process are kept apart', async () => {
    const [one, other] = [createMetrics(sources), createMetrics(sources)];
    one.cloudIs('up');
    expect((await series(other)).get('platen_cloud_up')).toBe(0);
  });
});
