/** The user's story of a look before the print: page by page, on their own screen, at no price, and gone with them. */
import { expect, it } from 'vitest';
import type { TerminalView } from '../../../src/domain/terminal/terminal-view.ts';
import { pageHeader } from '../../../src/kiosk/frame.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { needsPeer } from '../../support/needs.ts';
import { seenIn } from '../../printing/preview/seen-picture.ts';
import { launchPage } from '../../support/agent/kiosk-page.ts';
import { passBy, watchScreen } from '../../support/agent/screen.ts';
import { aliceCard, bobCard, setStage } from '../../support/agent/stage.ts';

const seed = {
  ...sampleData,
  documents: [{ owner: 'alice', name: 'Thesis.pdf', pages: 3 }],
};

/** A page of the kiosk in front of which alice has just signed in, beside a passer-by. */
async function setDesk(terminal: Readonly<Record<string, unknown>> = { preview: 'on' }) {
  const stage = await setStage({ cloud: { seed }, terminal });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  const page = await launchPage(stage, agent);
  const screen = await watchScreen(agent, page);
  const passerBy = await passBy(agent);
  stage.reader.tap(aliceCard);
  await agent.told('session opened');
  const now = () => screen.views.at(-1) ?? ({} as Partial<TerminalView>);
  await expect.poll(() => now().documents?.length).toBe(1);
  const documentUuid = now().documents?.[0]?.uuid ?? '';
  const generation = now().generation ?? 0;
  return {
    stage,
    agent,
    page,
    passerBy,
    now,
    documentUuid,
    generation,
    lookAt: (number: number) => page.say({ command: 'preview', documentUuid, page: number, generation }),
    async seen(number: number) {
      await expect
        .poll(() => now().preview)
        .toMatchObject({ page: number, stage: expect.stringMatching(/shown|none/) as string });
      return now().preview;
    },
    fetched: (name: string, at = generation) =>
      fetch(`${agent.kiosk}/t/lobby/pictures/${name}?generation=${at}`, {
        headers: { cookie: page.cookie, 'sec-fetch-site': 'same-origin', [pageHeader]: page.name ?? '' },
      }),
    async [Symbol.asyncDispose]() {
      await Promise.all([screen[Symbol.asyncDispose](), passerBy[Symbol.asyncDispose]()]);
      await stage[Symbol.asyncDispose]();
    },
  };
}

needsPeer('gs', 'ghostscript')('with Ghostscript', () => {
  it('looks at one page after the other, prints nothing by it, and leaves nothing to see (I3)', async () => {
    await using desk = await setDesk();
    const { stage, page, generation } = desk;
    expect(desk.now()).toMatchObject({ offersPreview: true });
    expect(await desk.lookAt(1)).toBe(204);
    const first = (await desk.seen(1))?.picture ?? '';
    const png = Buffer.from(await (await desk.fetched(first)).arrayBuffer());
    // A page, white, in the middle of a square.
    const picture = seenIn(png);
    expect([picture.at(0.05, 0.5), picture.at(0.5, 0.95)]).toEqual(['clear', '#ffffff']);

    expect(await desk.lookAt(3)).toBe(204);
    const third = (await desk.seen(3))?.picture ?? '';
    expect([(await desk.fetched(first)).status, (await desk.fetched(third)).status]).toEqual([409, 200]);
    await desk.lookAt(4);
    expect(await desk.seen(4)).toMatchObject({ stage: 'none', why: 'no-such-page' });
    expect(await page.say({ command: 'end-preview', generation })).toBe(204);
    await expect.poll(() => desk.now().preview).toBeUndefined();

    // A price for nobody.
    const [waiting] = stage.cloud.state.documents;
    expect(waiting?.info.status).toBe(0);
    expect([stage.printer.jobs, stage.cloud.state.history]).toEqual([[], []]);
    expect(JSON.stringify(desk.passerBy.views)).not.toMatch(/preview|picture|Thesis/i);
    expect(stage.cloud.deviations).toEqual([]);
  });

  it('the next person’s badge takes the picture away, whatever is asked for it', async () => {
    await using desk = await setDesk();
    await desk.lookAt(1);
    const { picture = '' } = (await desk.seen(1)) ?? {};
    desk.stage.awaitAnotherBadge();
    desk.stage.reader.tap(bobCard);
    await desk.agent.told('session closed');
    const { generation = 0 } = desk.now();
    for (const at of [desk.generation, generation]) {
      expect((await desk.fetched(picture, at)).status).toBe(409);
    }
    expect(await desk.lookAt(1)).toBe(409);
  });
});

it('without the programs, or without the document, it says so, and the list is as before', async () => {
  await using stage = await setStage({
    cloud: { seed },
    terminal: { preview: 'on' },
    config: { conversion: { ghostscript: 'no-such-ghostscript' } },
  });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  const page = await launchPage(stage, agent);
  await using screen = await watchScreen(agent, page);
  stage.reader.tap(aliceCard);
  const now = () => screen.views.at(-1);
  await expect.poll(() => now()?.documents?.length).toBe(1);
  const { generation = 0, documents: [{ uuid: documentUuid = '' } = {}] = [] } = now() ?? {};
  expect(await page.say({ command: 'preview', documentUuid, page: 1, generation })).toBe(204);
  expect(await agent.told('preview not made')).toMatchObject({ code: 'converter-missing' });
  await expect.poll(() => now()?.preview).toMatchObject({ stage: 'none', why: 'failed' });
  stage.cloud.state.documents = [];
  expect(await page.say({ command: 'preview', documentUuid, page: 1, generation })).toBe(204);
  expect(await agent.told('preview not made')).toMatchObject({ code: 'document-gone' });
  await expect.poll(() => now()?.preview).toMatchObject({ stage: 'none', why: 'gone' });
});

it('where it is off, which it is unless somebody turned it on, it is neither offered nor done', async () => {
  await using desk = await setDesk({});
  expect(desk.now()).not.toHaveProperty('offersPreview');
  expect(await desk.lookAt(1)).toBe(409);
});
