/** The user's story of a file that they bring on a USB stick: seen, touched, in their list, printed, and nobody else's. */
import { renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { TerminalView } from '../../../src/domain/terminal/terminal-view.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { needsPeer } from '../../support/needs.ts';
import { fatStick } from '../../support/stick/stick-images.ts';
import type { Files } from '../../support/stick/stick-maker.ts';
import { launchPage } from '../../support/agent/kiosk-page.ts';
import { passBy, watchScreen } from '../../support/agent/screen.ts';
import { aliceCard, bobCard, setStage } from '../../support/agent/stage.ts';

const seed = { ...sampleData, documents: [] };
const report = Buffer.from('%PDF-1.7\n1 0 obj<</Type /Page>>endobj\n%%EOF\n');

/** A page of the kiosk in front of which alice has just signed in, with her stick in it, beside a passer-by. */
async function setDesk(files: Files, more: object = {}) {
  const device = fatStick(files);
  const stage = await setStage({ cloud: { seed }, terminal: { stick: { device, ...more } } });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  const page = await launchPage(stage, agent);
  const screen = await watchScreen(agent, page);
  const passerBy = await passBy(agent);
  // It was in before anybody came: nobody has looked at it.
  expect(screen.views.at(-1)).not.toHaveProperty('stick');
  stage.reader.tap(aliceCard);
  const now = () => screen.views.at(-1) ?? ({} as Partial<TerminalView>);
  const shows = async (stick: object) => {
    await expect.poll(() => now().stick).toMatchObject(stick);
  };
  await shows({ stage: 'in' });
  const generation = now().generation ?? 0;
  return {
    device,
    stage,
    agent,
    page,
    screen,
    passerBy,
    now,
    shows,
    generation,
    async open() {
      expect(await page.say({ command: 'open-stick', generation })).toBe(204);
      await shows({ stage: expect.stringMatching(/files|failed/) as string });
      return now().stick?.files ?? [];
    },
    bring: (file: number) =>
      page.say({ command: 'bring-file', file, edition: now().stick?.edition ?? 0, generation }),
    async [Symbol.asyncDispose]() {
      await Promise.all([screen[Symbol.asyncDispose](), passerBy[Symbol.asyncDispose]()]);
      await stage[Symbol.asyncDispose]();
    },
  };
}

needsPeer('fls', 'sleuthkit')('with a stick', () => {
  it('a file that is touched waits among the person’s documents, and is printed like any other', async () => {
    await using desk = await setDesk({
      'Reports/Größe.pdf': report,
      'notes.txt': 'nothing to print',
      'photo.JPG': Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    });
    const { stage, page, now, generation } = desk;
    expect(await desk.open()).toEqual([
      { folder: '', name: 'photo.JPG', octets: 4 },
      { folder: 'Reports', name: 'Größe.pdf', octets: report.length },
    ]);
    expect(await desk.bring(1)).toBe(204);
    await desk.shows({ stage: 'files', name: 'Größe.pdf' });
    await expect.poll(() => now().documents).toMatchObject([{ name: 'Größe.pdf' }]);
    const [document] = stage.cloud.state.documents;
    expect(document?.bytes).toEqual(report);
    await page.say({ command: 'close-stick', generation });
    await desk.shows({ stage: 'in' });

    const documentUuids = [now().documents?.[0]?.uuid ?? ''];
    expect(await page.say({ command: 'release', documentUuids, generation })).toBe(204);
    await stage.printer.waitFor(() => stage.printer.jobs.length === 1);
    await expect.poll(() => stage.cloud.state.history.length).toBe(1);
    expect(JSON.stringify(desk.passerBy.views)).not.toMatch(/"stick"|Größe|Reports/);
    expect(stage.cloud.deviations).toEqual([]);
  });

  it('what was looked at is nobody’s when the next badge comes, and what was under way is no document (I3)', async () => {
    await using desk = await setDesk({ 'mine.pdf': report });
    await desk.open();
    desk.stage.awaitAnotherBadge();
    desk.stage.reader.tap(bobCard);
    await expect.poll(() => desk.now().generation).not.toBe(desk.generation);
    expect(await desk.bring(0)).toBe(409);
    // The stick is in still: bob sees that one is there, and nothing of what it holds.
    await desk.shows({ stage: 'in' });
    const bobs = desk.screen.views.filter(({ generation }) => generation > desk.generation);
    expect(JSON.stringify(bobs)).not.toContain('mine.pdf');
    expect(desk.stage.cloud.state.documents).toEqual([]);
  });

  it('pulled out while it is looked at, it is gone from the screen, with a word', async () => {
    await using desk = await setDesk({ 'mine.pdf': report });
    await desk.open();
    renameSync(desk.device, `${desk.device}.out`);
    await desk.shows({ stage: 'failed', why: 'pulled-out' });
    renameSync(`${desk.device}.out`, desk.device);
    await desk.page.say({ command: 'close-stick', generation: desk.generation });
    await desk.shows({ stage: 'in' });
  });

  it.each([
    ['the queues', { method: 'GET', path: '/inputports' }],
    ['the file', { method: 'PUT', path: '/documents' }],
  ])('where the service refuses them %s, they are told, and nothing is kept', async (_, match) => {
    await using desk = await setDesk({ 'mine.pdf': report });
    await desk.open();
    desk.stage.cloud.answerNext(match, { kind: 'status', status: 403 });
    await desk.bring(0);
    await desk.shows({ stage: 'files', why: 'denied' });
    expect(await desk.agent.told('file not brought')).toMatchObject({ code: 'cloud-denied' });
    expect(desk.stage.cloud.state.documents).toEqual([]);
    // The list is there still: another try.
    await desk.bring(0);
    await desk.shows({ stage: 'files', name: 'mine.pdf' });
  });

  it('a service that goes away in the middle made nothing that we know of, and nothing is sent again by itself', async () => {
    await using desk = await setDesk({ 'mine.pdf': report });
    await desk.open();
    desk.stage.cloud.answerNext({ method: 'PUT', path: '/documents' }, { kind: 'reset' });
    await desk.bring(0);
    await desk.shows({ stage: 'files', why: 'not-sent' });
    // Not every PUT: the report of the terminal's state is one too.
    const uploads = desk.stage.cloud.calls.filter(
      ({ method, path }) => method === 'PUT' && path.endsWith('/documents'),
    );
    expect(uploads).toHaveLength(1);
  });

  it('a badge in the middle of the upload breaks it off: of half a file there is no document', async () => {
    await using desk = await setDesk({ 'mine.pdf': report });
    await desk.open();
    desk.stage.cloud.answerNext({ method: 'PUT', path: '/documents' }, { kind: 'never' });
    await desk.bring(0);
    await desk.shows({ stage: 'bringing', name: 'mine.pdf' });
    desk.stage.awaitAnotherBadge();
    desk.stage.reader.tap(bobCard);
    expect(await desk.agent.told('file not brought')).toMatchObject({ reason: 'left' });
    await desk.shows({ stage: 'in' });
    expect(desk.stage.cloud.state.documents).toEqual([]);
  });

  it('without a queue of theirs nothing is sent', async () => {
    await using desk = await setDesk({ 'mine.pdf': report }, { queue: 'no such queue' });
    await desk.open();
    await desk.bring(0);
    await desk.shows({ stage: 'files', why: 'no-queue' });
    expect(desk.stage.cloud.state.documents).toEqual([]);
  });
});

it('where it is off, which it is unless somebody turned it on, a stick is nobody’s business', async () => {
  await using stage = await setStage({ cloud: { seed } });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  const page = await launchPage(stage, agent);
  await using screen = await watchScreen(agent, page);
  stage.reader.tap(aliceCard);
  await expect.poll(() => screen.views.at(-1)?.documents).toEqual([]);
  const { generation = 0 } = screen.views.at(-1) ?? {};
  expect(screen.views.at(-1)).not.toHaveProperty('stick');
  expect(await page.say({ command: 'open-stick', generation })).toBe(409);
});
