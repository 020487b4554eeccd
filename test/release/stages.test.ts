/** How far a release is, as its machine says it to the desk, and which counts of a printer are passed on (I12). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Conversion } from '../../src/domain/ports/printing.ts';
import type { JobReport } from '../../src/domain/release.ts';
import { pageNews } from '../../src/release/telling.ts';
import type { Document } from '../../src/domain/document.ts';
import { sampleDocument, sampleTicket } from '../support/sample-ticket.ts';
import type { Answers } from './release-bench.ts';
import { fault, lost, releaseBench, ticketFor } from './release-bench.ts';

const one = ticketFor('one');
type Bench = ReturnType<typeof releaseBench>;
const stagesOf = ({ stages }: Bench) => stages.map(({ stage }) => stage);

async function released(answers: Answers = {}, settings: Parameters<typeof releaseBench>[1] = {}) {
  const bench = releaseBench(answers, settings);
  await bench.release(one);
  await bench.clock.advance(seconds(0));
  return bench;
}

describe('the stages of a release', () => {
  it('go from the download over the printer to the end, each told once and of its document', async () => {
    const bench = await released();
    expect(bench.stages).toEqual(
      (['downloading', 'waiting', 'printing'] as const).map((stage) => ({ documentUuid: 'one', stage })),
    );
    expect(bench.ended).toMatchObject([{ outcome: 'completed', stage: 'printed' }]);
  });

  it('tell of a conversion where there is one', async () => {
    const conversion: Conversion = {
      format: 'image/pwg-raster',
      copies: 1,
      collated: false,
      resolution: 300,
      recordedPages: 1,
      color: 'grey',
      order: 'as-is',
      sides: undefined,
      rasterType: undefined,
      backs: undefined,
      media: undefined,
    };
    const stages = stagesOf(await released({}, { conversion }));
    expect(stages).toEqual(['downloading', 'waiting', 'converting', 'waiting', 'printing']);
  });

  it('stand at the turn while the printer is another’s, and no further than the machine', async () => {
    const bench = await released({ prepare: 'never' });
    expect(stagesOf(bench).at(-1)).toBe('waiting');
    expect(bench.ended).toEqual([]);
  });

  it('where the service delivers, wait for it and then print', async () => {
    expect(stagesOf(await released({}, { delivery: 'cloud' }))).toEqual(['printing']);
  });

  const half: JobReport = { state: 'aborted', reasons: [], impressionsCompleted: 2 };
  it.each<[string, Answers, Parameters<typeof releaseBench>[1], string]>([
    ['was confirmed: printed', {}, {}, 'printed'],
    ['was merely taken: handed over', {}, { printer: 'bytes' }, 'handed-over'],
    [
      'must be confirmed, and was not: unknown',
      {},
      { printer: 'bytes', requireConfirmation: true },
      'unknown',
    ],
    ['never left: failed', { download: fault('document-gone') }, {}, 'failed'],
    ['came out in part: unknown', { follow: half }, {}, 'unknown'],
    ['broke off on its way: unknown', { send: fault('transfer-broken', lost) }, {}, 'unknown'],
  ])('end as the ledger does, for what %s (I12)', async (_, answers, settings, stage) => {
    expect((await released(answers, settings)).ended).toMatchObject([{ stage }]);
  });

  it('are not told any more once the release has ended', async () => {
    const bench = await released({ delete: 'never' });
    expect(bench.ended).toHaveLength(1);
    const reported = bench.stages.length;
    bench.seen().onPages?.(1);
    await bench.clock.advance(seconds(30));
    expect(bench.stages).toHaveLength(reported);
  });
});

/** What is told of so many impressions, one count after the other. */
function pageCounter(document: Document) {
  let page = 0;
  return (impressions: number) => {
    const news = pageNews(impressions, { document, page });
    page = news?.page ?? page;
    return news;
  };
}

describe('the pages of a release', () => {
  it('are told as the printer counts them, of all that the copies make', async () => {
    const bench = releaseBench({ follow: 'never' });
    await bench.release(sampleTicket({ uuid: 'one', totalPages: 3, copies: 2 }));
    for (const count of [0, 1, 1, 4]) bench.seen().onPages?.(count);
    expect(bench.stages.slice(-2)).toEqual([
      { documentUuid: 'one', stage: 'printing', page: 1, pages: 6 },
      { documentUuid: 'one', stage: 'printing', page: 4, pages: 6 },
    ]);
  });

  it('prolong no countdown: that is told apart, at most every two seconds', async () => {
    const bench = releaseBench({ follow: 'never' });
    await bench.release(sampleTicket({ uuid: 'one', totalPages: 30 }));
    bench.progress.length = 0;
    for (let page = 1; page <= 30; page += 1) bench.seen().onPages?.(page);
    expect([bench.progress, bench.stages.at(-1)?.page]).toEqual([[], 30]);
  });

  const three = sampleDocument({ totalPages: 3 });
  it.each([
    ['backwards', [2, 1, 0, 3], [2, 3]],
    ['beyond all pages', [1, 4, 2 ** 31 - 1, 2], [1, 2]],
    ['below nothing', [-1, -(2 ** 31), 1], [1]],
    ['no whole numbers', [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2.5], []],
    ['nothing but the end', [4_000_000], []],
  ])('are not believed where a printer counts %s', (_, counts, believed) => {
    const count = pageCounter(three);
    expect(counts.flatMap((reported) => count(reported)?.page ?? [])).toEqual(believed);
  });

  it('have no total where the service knows none, and still no absurd count', () => {
    const count = pageCounter(sampleDocument({ totalPages: undefined }));
    expect([count(7), count(2 ** 31 - 1)]).toEqual([{ type: 'page', page: 7 }, undefined]);
  });

  it('only grow, and never pass the last one, whatever a printer says', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer(), fc.double())), (counts) => {
        const count = pageCounter(three);
        const reported = counts.flatMap((said) => count(said)?.page ?? []);
        expect(reported).toEqual([...new Set(reported)].toSorted((a, b) => a - b));
        expect(reported.every((page) => page >= 1 && page <= 3)).toBe(true);
      }),
    );
  });
});
