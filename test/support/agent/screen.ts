/** What a kiosk page of a terminal is shown, as it comes over the event stream. */
import { expect } from 'vitest';
import type { TerminalView } from '../../../src/domain/terminal/terminal-view.ts';
import type { Running } from './stage.ts';
import { eventually } from '../patience.ts';

export interface Screen extends AsyncDisposable {
  /** All views so far, the oldest first. */
  readonly views: readonly TerminalView[];
  /** Resolves when the last view's sentence is this one. */
  reads(sentence: string): Promise<void>;
  /** Resolves when any view so far said this, however soon another one followed. */
  showed(sentence: string): Promise<void>;
}

/** With the cookie of a launched page, or as a passer-by. */
export async function watchScreen(
  agent: Pick<Running, 'kiosk'>,
  page?: { readonly cookie: string; name?: string },
): Promise<Screen> {
  const leaving = new AbortController();
  const answer = await fetch(`${agent.kiosk}/t/lobby/events`, {
    ...(page && { headers: { cookie: page.cookie } }),
    signal: leaving.signal,
  });
  const views: TerminalView[] = [];
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const part of answer.body ?? []) {
      const frames = (rest + Buffer.from(part).toString()).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const [, data] = /^id: \d+\ndata: (.*)$/.exec(frame) ?? [];
        const [, name] = /^event: page\ndata: (.*)$/.exec(frame) ?? [];
        if (data !== undefined) views.push(JSON.parse(data) as TerminalView);
        if (page && name !== undefined) page.name = name;
      }
    }
  };
  // It ends when the test leaves, or with the agent.
  const reading = read().catch(() => {});
  return {
    views,
    async reads(sentence) {
      await expect.poll(() => views.at(-1)?.sentence).toBe(sentence);
    },
    async showed(sentence) {
      const said = () => views.map((view) => view.sentence);
      await eventually(() => expect(said()).toContain(sentence));
    },
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await reading;
    },
  };
}
