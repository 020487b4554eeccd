/** An event stream of a kiosk's terminal, read as a browser would. */
import type { KioskStage } from './kiosk-stage.ts';

export interface OpenStream {
  readonly answer: Response;
  /** All that has come so far. */
  text(): string;
  ended(): boolean;
  /** As a browser that is closed. */
  leave(): void;
}

/** With the `Cookie` of a page, which shows the terminal then, or as somebody who reads along. Has the first frame. */
export async function listen({ get, shown }: KioskStage, cookie?: string, query = ''): Promise<OpenStream> {
  const page = new AbortController();
  const headers = cookie === undefined ? {} : { cookie };
  const answer = await get(`/t/lobby/events${query}`, { headers, signal: page.signal });
  let text = '';
  let ended = false;
  const begun = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    try {
      for await (const part of answer.body ?? []) {
        text += Buffer.from(part).toString();
        if (/^id: /m.test(text)) begun.resolve();
      }
    } catch {
      // A connection that is cut ends the stream like one that is closed.
    }
    ended = true;
    begun.resolve();
  };
  void read();
  await begun.promise;
  shown.name = /^event: page\ndata: (.*)$/m.exec(text)?.[1] ?? shown.name;
  return { answer, text: () => text, ended: () => ended, leave: () => page.abort() };
}

/** Starts a browser that shows the terminal; gives its `Cookie`. */
export async function openPage(stage: KioskStage): Promise<string> {
  const cookie = await stage.launch();
  await listen(stage, cookie);
  return cookie;
}
