/** A large document prints while it still comes in, whatever becomes of its download (INVARIANTS.md B.4, 5 and 7). */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { complaintsAbout } from '../support/cloud/exchanges.ts';
import type { Stage, StageOptions } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { forwardClock } from '../support/forward-clock.ts';

const content = { method: 'GET', path: /\.content$/ };
const downloads = ({ cloud }: Stage) => cloud.calls.filter(({ path }) => content.path.test(path));
const megabytes = 1_000_000;

/** Nobody waits so long: the clock is put forward. */
const pause = seconds(20);

/** alice has 24 MB to print. */
async function setLargeStage(options: Omit<StageOptions, 'clock'> = {}) {
  const clock = forwardClock();
  const stage = await setStage({
    // Longer than the leap, which is no stall.
    clock,
    stallSeconds: 120,
    terminal: { session: { autoRelease: true } },
    cloud: { seed: { ...sampleData, documents: [] } },
    ...options,
  });
  const bytes = samplePdf({ title: 'Atlas', pages: 3, minimumBytes: 24 * megabytes });
  const document = stage.cloud.addDocument({ owner: 'alice', name: 'Atlas.pdf', pages: 3, bytes });
  return { ...stage, clock, document, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
}

async function begin(stage: Stage) {
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  stage.reader.tap(aliceCard);
  await agent.told('release started');
  return agent;
}

const hasFirstByte = ({ printer }: Stage) =>
  printer.waitFor(() => printer.jobs.some(({ transfer }) => transfer === 'under-way'));

describe('a document of 24 MB', () => {
  it('is at the printer before it has come, is cut twice on its way, and comes out once, byte by byte', async () => {
    await using stage = await setLargeStage();
    const { cloud, printer, document } = stage;
    cloud.answerNext(content, { kind: 'cut-body', afterBytes: 11 * megabytes });
    cloud.answerNext(content, { kind: 'cut-body', afterBytes: 6 * megabytes });
    cloud.answerNext(content, { kind: 'status', status: 503, headers: { 'retry-after': '1' } });
    const agent = await begin(stage);
    await cloud.waitFor(() => downloads(stage).length === 3);
    await hasFirstByte(stage);
    // By another name its ETag is another, and the service has no rest of it to give: all comes once more.
    document.info = { ...document.info, documentName: 'Atlas, revised.pdf' };
    expect(document.fetched).toBe(0);

    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    await agent.told('history accepted');
    expect(downloads(stage).map(({ status }) => status)).toEqual([200, 206, 503, 200]);
    expect(document.fetched).toBe(1);
    const sha256 = createHash('sha256').update(document.bytes).digest('hex');
    expect(printer.outputs).toMatchObject([{ sha256, complete: true }]);
    expect(cloud.state.history).toHaveLength(1);
    await cloud.waitFor(() => document.info.status === documentStatus.DELETED);
    expect(agent.records.filter(({ msg }) => msg === 'download resumed')).toMatchObject([
      { code: 'document-cut' },
      { code: 'document-cut' },
      { code: 'cloud-busy' },
    ]);
    expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
    expect(complaintsAbout(cloud.calls)).toEqual([]);
    await agent.stop();
  });

  it('whose download cannot go on is cancelled at the printer, and nobody counts it as printed', async () => {
    await using stage = await setLargeStage();
    const { clock, cloud, printer, document } = stage;
    await printer.behave({ kind: 'hold' });
    cloud.answerNext(content, { kind: 'cut-body', afterBytes: 11 * megabytes });
    cloud.answerNext(content, { kind: 'status', status: 503, headers: { 'retry-after': '20' } });
    const agent = await begin(stage);
    await agent.told('cloud call', ({ status }) => status === 503);
    await hasFirstByte(stage);
    // Before the third one is asked for, and before the printer has had nothing for half a minute.
    cloud.expireTokens('user');
    clock.forward(pause);
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'unknown', code: 'transfer-broken' });
    expect(downloads(stage).map(({ status }) => status)).toEqual([200, 503, 401]);
    expect(printer.requests.map(({ operation }) => operation)).toContain('Cancel-Job');
    expect(printer.jobs).toMatchObject([{ state: 'canceled' }]);
    expect(document.info.status).toBe(documentStatus.READY);
    await agent.stop();
    expect([printer.outputs, cloud.state.history]).toEqual([[], []]);
    expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
  });
});
