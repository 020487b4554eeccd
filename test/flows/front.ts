/** In front of a terminal: a page at its screen, and a passer-by who looks at it too. */
import { expect } from 'vitest';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { passBy, watchScreen } from '../support/agent/screen.ts';
import type { Running, Stage } from '../support/agent/stage.ts';

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
