/** A person wants some pages of a document only: those come out, are paid for and recorded, and no others. */
import { expect, it } from 'vitest';
import type { PageRange } from '../../../src/domain/page-range.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { aliceInFront } from '../../flows/front.ts';
import type { StageOptions } from '../../support/agent/stage.ts';
import { setStage } from '../../support/agent/stage.ts';
import { needsPeer } from '../../support/needs.ts';
import { footersOf } from '../../support/printer/pdf-pages.ts';

const seed = { ...sampleData, documents: [{ owner: 'alice', name: 'Thesis.pdf', pages: 12 }] };

const thesis = 'Thesis.pdf';

async function visit(options: StageOptions = {}) {
  await using opened = new AsyncDisposableStack();
  const stage = opened.use(await setStage({ cloud: { seed }, ...options }));
  const agent = opened.use(await stage.start());
  const held = opened.move();
  return {
    ...stage,
    agent,
    async comes() {
      const front = held.use(await aliceInFront(stage, agent));
      const shown = () => front.shown(thesis);
      await expect.poll(() => shown()?.options).toBeDefined();
      return {
        shown,
        choose: (chosenPages: readonly PageRange[] | undefined, more: object = {}) =>
          front.change(thesis, { ...(chosenPages && { chosenPages }), ...more }),
        print: () => front.print(thesis),
      };
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const pages = (...numbers: readonly number[]) => numbers.map((number) => `Page ${number} of 12`);

needsPeer('qpdf', 'qpdf')('with qpdf', () => {
  it('pages 3 and 5 to 8 come out on both sides, and are what is asked about, paid and recorded', async () => {
    await using stage = await visit();
    const { cloud, printer, agent } = stage;
    cloud.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 });
    cloud.setUserBalance('alice', { quota: 100, wallet: 0 });
    const front = await stage.comes();
    expect(front.shown()).toMatchObject({ pages: 12, options: { pages: 12 } });
    await expect.poll(() => front.shown()?.cost).toBe('2.40');

    const chosen = [
      { from: 3, to: 3 },
      { from: 5, to: 8 },
    ];
    expect(await front.choose(chosen, { sides: 'two-sided-long-edge' })).toBe(204);
    await expect.poll(() => front.shown()).toMatchObject({ pages: 12, chosenPages: chosen, cost: '1.00' });
    expect(await front.print()).toBe(204);
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    expect(await footersOf(printer.outputs[0]?.file ?? '')).toEqual(pages(3, 5, 6, 7, 8));
    await agent.told('history accepted');
    expect(cloud.state.history).toMatchObject([{ totalPages: 5 }]);
    expect(printer.deviations).toEqual([]);
    expect(cloud.deviations).toEqual([]);
  });

  it('two copies made here are sets of the chosen pages', async () => {
    await using stage = await visit({ terminal: { printer: { softwareCopies: true } } });
    const front = await stage.comes();
    expect(await front.choose([{ from: 11, to: 12 }], { copies: 2 })).toBe(204);
    await expect.poll(() => front.shown()).toMatchObject({ copies: 2 });
    await front.print();
    expect(await stage.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    const [output] = stage.printer.outputs;
    // Both copies of a page share what is written on it.
    expect(await footersOf(output?.file ?? '')).toEqual(pages(11, 12));
    expect(output).toMatchObject({ impressions: 4, complete: true });
    expect(output?.attributes).not.toHaveProperty('copies');
    await stage.agent.told('history accepted');
    expect(stage.cloud.state.history).toMatchObject([{ totalPages: 4 }]);
  });

  it('all pages again is no choice, and pages that it does not have are refused', async () => {
    await using stage = await visit();
    const front = await stage.comes();
    const refused: readonly PageRange[][] = [
      [],
      [{ from: 12, to: 13 }],
      [{ from: 8, to: 5 }],
      [{ from: 0, to: 1 }],
      [
        { from: 5, to: 8 },
        { from: 8, to: 9 },
      ],
      [
        { from: 5, to: 6 },
        { from: 1, to: 2 },
      ],
    ];
    for (const one of refused) expect([400, 409]).toContain(await front.choose(one));
    expect(front.shown()).not.toHaveProperty('chosenPages');
    expect(await front.choose([{ from: 2, to: 2 }])).toBe(204);
    await expect.poll(() => front.shown()?.chosenPages).toHaveLength(1);
    expect(await front.choose([{ from: 1, to: 12 }])).toBe(204);
    await expect.poll(() => front.shown()).not.toHaveProperty('chosenPages');
    await front.print();
    await stage.agent.told('release ended');
    expect(await footersOf(stage.printer.outputs[0]?.file ?? '')).toHaveLength(12);
  });

  it('a document that turned out shorter than its record is not printed in other pages, and waits', async () => {
    await using stage = await visit();
    const { cloud, agent } = stage;
    cloud.state.documents = cloud.state.documents.map((one) => ({
      ...one,
      info: { ...one.info, totalPages: 14 },
    }));
    const front = await stage.comes();
    expect(await front.choose([{ from: 13, to: 14 }])).toBe(204);
    await expect.poll(() => front.shown()?.chosenPages).toHaveLength(1);
    await front.print();
    expect(await agent.told('release ended')).toMatchObject({
      outcome: 'failed',
      code: 'document-not-as-recorded',
    });
    expect(stage.printer.outputs).toEqual([]);
    expect(cloud.state.documents.map(({ info }) => info.status)).toEqual([documentStatus.READY]);
  });
});

it('without a converter they can be chosen until it is missed; nothing is printed, and the document can be had whole', async () => {
  await using stage = await visit({ config: { conversion: { qpdf: 'no-such-qpdf' } } });
  const front = await stage.comes();
  await front.choose([{ from: 2, to: 3 }]);
  await front.print();
  expect(await stage.agent.told('release ended')).toMatchObject({ code: 'converter-missing' });
  expect(stage.printer.outputs).toEqual([]);
  await expect.poll(() => front.shown()).toMatchObject({ standing: 'releasable' });
  expect(front.shown()?.options).not.toHaveProperty('pages');
  expect(await front.choose(undefined)).toBe(204);
  await front.print();
  expect(await stage.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
});

it.each([
  ['that does not offer them', { terminal: { printer: { offers: ['copies'] } } }],
  ['at which the service prints', { terminal: { delivery: 'cloud' } }],
  ['that handles no documents', { terminal: { printer: { outputType: 'raw' } } }],
])('at a terminal %s no pages are to be chosen', async (_what, options) => {
  await using stage = await visit(options);
  const front = await stage.comes();
  expect(front.shown()?.options).not.toHaveProperty('pages');
  expect(await front.choose([{ from: 2, to: 3 }])).toBe(409);
});
