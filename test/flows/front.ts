/** In front of a terminal: a page at its screen, and a passer-by who looks at it too. */
import { expect } from 'vitest';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { passBy, watchScreen } from '../support/agent/screen.ts';
import type { Running, Stage } from '../support/agent/stage.ts';
import { aliceCard } from '../support/agent/stage.ts';

export async function standInFront(stage: Stage, agent: Running, opened: AsyncDisposableStack) {
  await agent.told('terminal ready');
  await agent.told('reader up');
  const page = await launchPage(stage, agent);
  const screen = opened.use(await watchScreen(agent, page));
  const passerBy = opened.use(await passBy(agent));
  const at = () => screen.views.at(-1);
  const is = async (state: string): Promise<void> => {
    await expect.poll(() => at()?.state).toBe(state);
  };
  await is('prompting');
  return { page, passerBy, at, is };
}

/** Alice holds her badge to the reader and sees her list. She speaks of documents by their names, as the page does. */
export async function aliceInFront(stage: Stage, agent: Running) {
  await using opened = new AsyncDisposableStack();
  const { page, at, is } = await standInFront(stage, agent, opened);
  stage.reader.tap(aliceCard);
  await is('choosing');
  const held = opened.move();
  const shown = (name: string) => at()?.documents?.find((one) => one.name === name);
  const say = (word: object) =>
    page.say({ generation: at()?.generation ?? 0, ...word } as Parameters<typeof page.say>[0]);
  return {
    shown,
    /** As the page says it: all settings of the document, some of them other ones. */
    change: (name: string, changed: object) => {
      const { uuid, copies, color, sides } = shown(name) ?? {};
      return say({ command: 'change', documentUuid: uuid, copies, color, sides, ...changed });
    },
    print: (name: string) => say({ command: 'release', documentUuids: [shown(name)?.uuid] }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
