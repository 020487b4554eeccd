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

/** With the `Cookie` of a page, or as somebody who reads along. */
export async function listen({ get }: KioskStage, cookie?: string): Promise<OpenStream> {
  const page = new AbortController();
  const headers = cookie === undefined ? {} : { cookie };
  const answer = await get('/t/lobby/events', { headers, signal: page.signal });
  let text = '';
  let ended = false;
  const read = async (): Promise<void> => {
    for await (const part of answer.body ?? []) text += Buffer.from(part).toString();
  };
  // A connection that is cut ends the stream like one that is closed.
  void read()
    .catch(() => {})
    .then(() => (ended = true));
  return { answer, text: () => text, ended: () => ended, leave: () => page.abort() };
}
