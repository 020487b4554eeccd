/** The user's story at a kiosk page while documents print: where each of them is, and what became of it (I12). */
import { expect, it } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import type { DocumentProgress } from '../../src/domain/terminal/terminal-view.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import type { Screen } from '../support/agent/screen.ts';
import { passBy, watchScreen } from '../support/agent/screen.ts';
import type { StageOptions } from '../support/agent/stage.ts';
import { setStage } from '../support/agent/stage.ts';

const content = { method: 'GET', path: /\.content$/ };

/** alice is at the page, and has documents of three pages each. */
async function atThePage(names: readonly string[], options: StageOptions = {}) {
  await using opened = new AsyncDisposableStack();
  const stage = opened.use(
    await setStage({
      terminal: { readers: [], login: { shortId: true } },
      cloud: { seed: { ...sampleData, documents: [] } },
      ...options,
    }),
  );
  for (const name of names) stage.cloud.addDocument({ owner: 'alice', name, pages: 3 });
  const agent = opened.use(await stage.start());
  await agent.told('terminal ready');
  const passerBy = opened.use(await passBy(agent));
  const page = await launchPage(stage, agent);
  const screen = opened.use(await watchScreen(agent, page));
  await expect.poll(() => screen.views.at(-1)?.offers).toContain('short-id');
  const generation = () => screen.views.at(-1)?.generation ?? 0;
  const uuidOf = (name: string) =>
    stage.cloud.state.documents.find(({ info }) => info.documentName === name)?.info.uuid ?? '';
  const held = opened.move();
  return {
    stage,
    agent,
    screen,
    passerBy,
    async signIn() {
      await expect.poll(() => screen.views.at(-1)?.offers).toContain('short-id');
      const typed = { way: 'short-id', shortId: '4711', generation: generation() } as const;
      expect(await page.say({ command: 'log-in', ...typed })).toBe(204);
    },
    /** Once the list is there. */
    async release(...which: string[]) {
      await isBack(screen);
      const documentUuids = which.map(uuidOf);
      return page.say({ command: 'release', documentUuids, generation: generation() });
    },
    say: (command: 'print-again', name: string) =>
      page.say({ command, documentUuid: uuidOf(name), generation: generation() }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const entryOf = (screen: Screen, name: string): DocumentProgress | undefined =>
  screen.views.at(-1)?.progress?.find((one) => one.name === name);
/** In the words of a page, each once. */
const wayOf = (screen: Screen, name: string): readonly string[] => {
  const words = screen.views
    .flatMap(({ progress = [] }) => progress.filter((one) => one.name === name))
    .map(({ stage, page, pages }) => (page === undefined ? stage : `${stage} ${page} of ${pages}`));
  return words.filter((word, index) => word !== words[index - 1]);
};
const isBack = async (screen: Screen) => {
  await expect.poll(() => screen.views.at(-1)?.state).toBe('choosing');
};

const ended = async (screen: Screen, many: number) => {
  await expect
    .poll(() => screen.views.at(-1)?.progress?.filter(({ stage }) => isEnd.test(stage)))
    .toHaveLength(many);
};
const isEnd = /printed|failed|unknown/;

it('each document is seen to wait, to be downloaded, to print page by page, and to be printed', async () => {
  await using at = await atThePage(['First.pdf', 'Second.pdf'], { printer: { pageTime: milliseconds(400) } });
  const { screen, stage, passerBy } = at;
  stage.cloud.always(content, { kind: 'slow-headers', wait: milliseconds(400) });
  await at.signIn();
  expect(await at.release('First.pdf', 'Second.pdf')).toBe(204);
  await ended(screen, 2);
  await isBack(screen);
  expect(wayOf(screen, 'First.pdf').join(', ')).toMatch(
    /^waiting, downloading, (waiting, )?printing, printing 1 of 3, printing 2 of 3,.* printed$/,
  );
  // The second one is here before the first has come out, and waits for the printer.
  expect(wayOf(screen, 'Second.pdf').join(', ')).toMatch(
    /^waiting, downloading, waiting, printing.*, printed$/,
  );
  expect(screen.views.at(-1)?.progress?.map(({ name, stage: last }) => [name, last])).toEqual([
    ['First.pdf', 'printed'],
    ['Second.pdf', 'printed'],
  ]);
  expect(JSON.stringify(passerBy.views)).not.toMatch(/progress|\.pdf/);
  expect([...stage.cloud.deviations, ...stage.printer.deviations]).toEqual([]);
});

it('what failed is back in the list with its reason, what is unknown is asked about, and either may be had again', async () => {
  await using at = await atThePage(['Failed.pdf', 'Unknown.pdf']);
  const { screen, stage } = at;
  await stage.printer.behave({ kind: 'stopped', reason: 'media-empty-error' });
  await at.signIn();
  await at.release('Failed.pdf');
  await ended(screen, 1);
  await isBack(screen);
  expect(entryOf(screen, 'Failed.pdf')).toMatchObject({ stage: 'failed', code: 'printer-not-ready' });
  expect(screen.views.at(-1)?.documents?.map(({ standing }) => standing)).toEqual([
    'releasable',
    'releasable',
  ]);

  await stage.printer.clear();
  await stage.printer.behaveOnce({ kind: 'abort', afterPages: 1 });
  await at.release('Unknown.pdf');
  await expect.poll(() => entryOf(screen, 'Unknown.pdf')?.stage).toBe('unknown');
  await isBack(screen);
  const { releaseId } = await at.agent.told('release ended', ({ outcome }) => outcome === 'unknown');
  const reference = String(releaseId).slice(0, 8);
  expect(entryOf(screen, 'Unknown.pdf')).toMatchObject({ code: 'outcome-unknown', reference });
  expect(screen.views.at(-1)?.mayHavePrinted).toHaveLength(1);
  expect(entryOf(screen, 'Failed.pdf')).toMatchObject({ stage: 'failed' });

  expect(await at.say('print-again', 'Unknown.pdf')).toBe(204);
  await expect.poll(() => entryOf(screen, 'Unknown.pdf')?.stage).toBe('printed');
  expect(entryOf(screen, 'Unknown.pdf')).not.toHaveProperty('reference');
});

it('a printer that counts nothing is shown to print, and no page is made up', async () => {
  await using at = await atThePage(['Silent.pdf'], {
    printer: { counters: 'always-zero', pageTime: milliseconds(200) },
  });
  await at.signIn();
  await at.release('Silent.pdf');
  await expect.poll(() => entryOf(at.screen, 'Silent.pdf')?.stage).toBe('printed');
  expect(wayOf(at.screen, 'Silent.pdf').at(-2)).toBe('printing');
});

it('where a login prints at once, what may have printed is asked about as soon as nothing else waits', async () => {
  const login = { shortId: true };
  await using at = await atThePage(['Unknown.pdf'], {
    terminal: { readers: [], login, session: { autoRelease: true } },
  });
  await at.stage.printer.behaveOnce({ kind: 'abort', afterPages: 1 });
  await at.signIn();
  await at.agent.told('session closed', ({ reason }) => reason === 'released');

  await at.signIn();
  await expect.poll(() => at.screen.views.at(-1)?.mayHavePrinted).toHaveLength(1);
  expect(at.screen.views.at(-1)?.state).toBe('choosing');
  expect(await at.say('print-again', 'Unknown.pdf')).toBe(204);
  await at.agent.told('release ended', ({ outcome }) => outcome === 'completed');
  await at.agent.told('session closed', ({ reason }) => reason === 'released');
  await expect.poll(() => at.screen.views.at(-1)?.progress).toBeUndefined();
  // How it ended was shown before the session closed.
  expect(wayOf(at.screen, 'Unknown.pdf').at(-1)).toBe('printed');
});
