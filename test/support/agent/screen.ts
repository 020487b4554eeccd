/** What a kiosk page of a terminal is shown, as it comes over the event stream. */
import { systemClock } from '../../../src/core/clock.ts';
import type { TerminalView } from '../../../src/domain/terminal/terminal-view.ts';
import { patience } from '../patience.ts';
import { launchPage } from './kiosk-page.ts';
import type { Running } from './stage.ts';

export interface Screen extends AsyncDisposable {
  /** All views so far, the oldest first. */
  readonly views: readonly TerminalView[];
  /** Resolves as soon as the last view is like this. */
  shows(isLike: (view: TerminalView) => boolean): Promise<TerminalView>;
  /** Resolves as soon as the last view's sentence is this one. */
  reads(sentence: string): Promise<void>;
  /** Resolves when any view so far said this, however soon another one followed. */
  showed(sentence: string): Promise<void>;
}

/** Of the page that a browser of the agent's machine opens: it is told what is of the person in front. */
export const launchScreen = async (agent: Pick<Running, 'kiosk' | 'folder'>): Promise<Screen> =>
  watchScreen(agent, await launchPage(agent, agent));

/** Of whoever looks on without a pass. */
export const passBy = (agent: Pick<Running, 'kiosk'>): Promise<Screen> => watch(agent);

/** Of a page that was launched. */
export const watchScreen = (
  agent: Pick<Running, 'kiosk'>,
  page: { readonly cookie: string; name?: string },
): Promise<Screen> => watch(agent, page);

async function watch(
  agent: Pick<Running, 'kiosk'>,
  page?: { readonly cookie: string; name?: string },
): Promise<Screen> {
  const leaving = new AbortController();
  const answer = await fetch(`${agent.kiosk}/t/lobby/events`, {
    ...(page && { headers: { cookie: page.cookie } }),
    signal: leaving.signal,
  });
  const views: TerminalView[] = [];
  const listeners = new Set<() => void>();
  const until = <Found>(what: string, look: () => Found | undefined): Promise<Found> =>
    new Promise((resolve, reject) => {
      const listener = () => {
        const found = look();
        if (found === undefined) return;
        listeners.delete(listener);
        resolve(found);
      };
      listeners.add(listener);
      systemClock.deadline(patience()).addEventListener('abort', () => {
        // Nobody waits any more when the test has left.
        if (!listeners.delete(listener)) return;
        reject(new Error(`the screen never ${what}; the last view: ${JSON.stringify(views.at(-1))}`));
      });
      listener();
    });
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
        for (const listener of [...listeners]) listener();
      }
    }
  };
  // It ends when the test leaves, or with the agent.
  const reading = read().catch(() => {});
  return {
    views,
    shows: (isLike) => until('was like this', () => views.slice(-1).find(isLike)),
    async reads(sentence) {
      await until(`read "${sentence}"`, () => views.at(-1)?.sentence === sentence || undefined);
    },
    async showed(sentence) {
      await until(`showed "${sentence}"`, () => views.some((one) => one.sentence === sentence) || undefined);
    },
    async [Symbol.asyncDispose]() {
      leaving.abort();
      listeners.clear();
      await reading;
    },
  };
}
