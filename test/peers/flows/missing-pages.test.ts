/** The user's story of a jam: the printer counted, and the pages that are missing come out by one word, and no others. */
import { expect, it } from 'vitest';
import type { TerminalView } from '../../../src/domain/terminal/terminal-view.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { needsPeer } from '../../support/needs.ts';
import { footersOf } from '../../support/printer/pdf-pages.ts';
import { launchPage } from '../../support/agent/kiosk-page.ts';
import { watchScreen } from '../../support/agent/screen.ts';
import { aliceCard, setStage } from '../../support/agent/stage.ts';

const seed = { ...sampleData, documents: [{ owner: 'alice', name: 'Thesis.pdf', pages: 12 }] };

async function setDesk(config: Readonly<Record<string, object>> = {}) {
  const stage = await setStage({ cloud: { seed }, config });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  const page = await launchPage(stage, agent);
  const screen = await watchScreen(agent, page);
  const now = () => screen.views.at(-1) ?? ({} as Partial<TerminalView>);
  return {
    stage,
    agent,
    page,
    now,
    doubt: () => now().mayHavePrinted?.[0],
    async choosing() {
      await expect.poll(() => [now().state, now().documents?.length]).toEqual(['choosing', 1]);
      const { generation = 0, documents: [{ uuid: documentUuid = '' } = {}] = [] } = now();
      return { generation, documentUuid };
    },
    async [Symbol.asyncDispose]() {
      await screen[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

needsPeer('qpdf', 'qpdf')('with qpdf', () => {
  it('prints the pages that are missing, once, with a release and a record of their own', async () => {
    await using desk = await setDesk();
    const { stage, agent, page } = desk;
    const { printer, cloud } = stage;
    // Charged by the page, and some of them are in colour.
    cloud.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 });
    cloud.setUserBalance('alice', { quota: 100, wallet: 0 });
    cloud.state.documents = cloud.state.documents.map((one) => ({
      ...one,
      info: { ...one.info, colorPages: 5 },
    }));
    await printer.behaveOnce({ kind: 'abort', afterPages: 6 });
    stage.reader.tap(aliceCard);
    const { generation, documentUuid } = await desk.choosing();
    expect(await page.say({ command: 'release', documentUuids: [documentUuid], generation })).toBe(204);
    const { releaseId: first } = await agent.told('release ended');
    await desk.choosing();
    await expect.poll(desk.doubt).toMatchObject({ missing: { from: 7, to: 12 } });

    // Another range than the one that is offered is nobody's word.
    const say = (from: number, to: number) =>
      page.say({ command: 'print-missing', documentUuid, from, to, generation });
    expect([await say(6, 12), await say(7, 11), await say(1, 12)]).toEqual([409, 409, 409]);
    expect(printer.outputs).toHaveLength(1);
    expect(await say(7, 12)).toBe(204);
    expect(await say(7, 12)).toBe(409);
    expect(await agent.told('release repeated')).toMatchObject({ again: first, pages: '7-12' });
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    expect(printer.outputs).toHaveLength(2);
    await cloud.waitFor(() => cloud.state.documents.every(({ info }) => info.status === 2));
    for (const _ of ['the first six', 'the others']) await agent.told('history accepted');
    // Each release has a record of the pages that it printed.
    expect(cloud.state.history.map(({ totalPages }) => totalPages)).toEqual([6, 6]);
    expect(await footersOf(printer.outputs[1]?.file ?? '')).toEqual(
      [7, 8, 9, 10, 11, 12].map((number) => `Page ${number} of 12`),
    );
    expect(printer.deviations).toEqual([]);
  });

  it('when the printer jams again, the rest of the rest is offered, also after a restart, and each counts its own', async () => {
    await using desk = await setDesk();
    const { stage, agent, page } = desk;
    const { printer, cloud } = stage;
    await printer.behaveOnce({ kind: 'abort', afterPages: 6 });
    stage.reader.tap(aliceCard);
    const { generation, documentUuid } = await desk.choosing();
    await page.say({ command: 'release', documentUuids: [documentUuid], generation });
    await agent.told('release ended');
    await expect.poll(desk.doubt).toMatchObject({ missing: { from: 7, to: 12 } });
    await printer.behaveOnce({ kind: 'abort', afterPages: 2 });
    await page.say({ command: 'print-missing', documentUuid, from: 7, to: 12, generation });
    await agent.told('release ended');
    await expect.poll(desk.doubt).toMatchObject({ missing: { from: 9, to: 12 } });
    // The first one's pages are known by then.
    await agent.told('history accepted');
    await agent.stop();

    await using again = await stage.start();
    await again.told('reader up');
    const another = await launchPage(stage, again);
    await using screen = await watchScreen(again, another);
    const now = () => screen.views.at(-1);
    stage.reader.tap(aliceCard);
    await expect.poll(() => now()?.mayHavePrinted?.[0]).toMatchObject({ missing: { from: 9, to: 12 } });
    // A badge alone prints none of it.
    expect(printer.outputs).toHaveLength(2);
    const said = { command: 'print-missing', documentUuid, from: 9, to: 12 } as const;
    expect(await another.say({ ...said, generation: now()?.generation ?? 0 })).toBe(204);
    expect(await again.told('release ended')).toMatchObject({ outcome: 'completed' });
    for (const _ of [2, 3]) await again.told('history accepted');
    expect(cloud.state.history.map(({ totalPages }) => totalPages)).toEqual([6, 2, 4]);
    expect(await footersOf(printer.outputs[2]?.file ?? '')).toEqual(
      [9, 10, 11, 12].map((number) => `Page ${number} of 12`),
    );
  });

  it('where they cannot be picked, nothing is printed, and they are offered as before', async () => {
    await using desk = await setDesk({ conversion: { qpdf: 'no-such-qpdf' } });
    const { stage, agent, page } = desk;
    await stage.printer.behaveOnce({ kind: 'abort', afterPages: 6 });
    stage.reader.tap(aliceCard);
    const { generation, documentUuid } = await desk.choosing();
    await page.say({ command: 'release', documentUuids: [documentUuid], generation });
    await agent.told('release ended');
    await expect.poll(desk.doubt).toMatchObject({ missing: { from: 7, to: 12 } });
    const said = { command: 'print-missing', documentUuid, from: 7, to: 12 } as const;
    expect(await page.say({ ...said, generation })).toBe(204);
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'failed', code: 'converter-missing' });
    await desk.choosing();
    expect(desk.doubt()).toMatchObject({ missing: { from: 7, to: 12 } });
    expect(stage.printer.outputs).toHaveLength(1);
  });
});
