/** The language that a person has chosen at a terminal comes back with the badge, also after a restart of the agent. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LanguageCode } from '../../src/domain/language.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import type { Screen } from '../support/agent/screen.ts';
import { passBy, watchScreen } from '../support/agent/screen.ts';
import type { Running, Stage } from '../support/agent/stage.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';

interface Visit extends AsyncDisposable {
  readonly agent: Running;
  readonly screen: Screen;
  /** Holds the badge there; the language of the list that comes. */
  taps(card: string): Promise<string | undefined>;
  /** In words of the page; the status of the answer. */
  chooses(language: LanguageCode): Promise<number>;
  leaves(): Promise<void>;
}

async function visit(stage: Stage): Promise<Visit> {
  await using opened = new AsyncDisposableStack();
  const agent = opened.use(await stage.start());
  await agent.told('terminal ready');
  await agent.told('reader up');
  const page = await launchPage(stage, agent);
  const screen = opened.use(await watchScreen(agent, page));
  const at = () => screen.views.at(-1);
  const is = async (state: string): Promise<void> => {
    await expect.poll(() => at()?.state).toBe(state);
  };
  await is('prompting');
  const held = opened.move();
  return {
    agent,
    screen,
    async taps(card) {
      stage.reader.tap(card);
      await is('choosing');
      return at()?.language;
    },
    chooses: (language) => page.say({ command: 'language', generation: at()?.generation ?? 0, language }),
    async leaves() {
      await page.say({ command: 'log-out', generation: at()?.generation ?? 0 });
      await is('prompting');
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

it('comes back with this badge and no other, and lies on the disk without its number', async () => {
  await using stage = await setStage();
  {
    await using first = await visit(stage);
    expect(await first.chooses('ja')).toBe(409);
    expect(await first.taps(aliceCard)).toBeUndefined();
    expect(await first.chooses('ar')).toBe(204);
    await expect.poll(() => first.screen.views.at(-1)?.language).toBe('ar');
    await first.leaves();
    stage.awaitAnotherBadge();
    expect(await first.taps(bobCard)).toBeUndefined();
    await first.leaves();
    stage.awaitSameBadge();
    expect(await first.taps(aliceCard)).toBe('ar');
    // From the moment at which the badge was read.
    const asked = first.screen.views.filter(({ state }) => state === 'authenticating');
    expect(asked.at(-1)?.language).toBe('ar');
    await first.agent.stop();
  }
  await using again = await visit(stage);
  await using passerBy = await passBy(again.agent);
  expect(await again.taps(aliceCard)).toBe('ar');
  await expect.poll(() => passerBy.views.at(-1)?.state).toBe('choosing');
  expect(JSON.stringify(passerBy.views)).not.toContain('language');

  const state = join(stage.folder, 'state');
  const names = await readdir(state, { recursive: true });
  const readable: string[] = [];
  for (const name of names) {
    if (!(await stat(join(state, name))).isFile()) continue;
    const bytes = await readFile(join(state, name));
    if ([aliceCard, bobCard].some((card) => bytes.includes(card))) readable.push(name);
  }
  expect(readable).toEqual([]);
  expect(names).toContain('languages');
});
