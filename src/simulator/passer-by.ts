/**
 * Watches a terminal's kiosk page without using it, through its event stream (HTML standard, 9.2). It sees the page as
 * a passer-by, or as the person in front. A demo waits for things that appear there.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Audience } from './news.ts';
import { createNews } from './news.ts';

const frame = z.object({
  generation: z.number(),
  state: z.string(),
  sentence: z.string(),
  asks: z.string().optional(),
  notice: z.object({ code: z.string() }).optional(),
  printer: z.object({ lamp: z.string(), needs: z.string().optional() }).optional(),
});

/** The fields of the page that a passer-by uses. */
export type Sight = z.output<typeof frame>;

/** `onEvent` gives each new sentence of the page. */
export interface PasserBy extends AsyncDisposable, Audience {
  /** The current content of the page; `undefined` at first. */
  sight(): Sight | undefined;
}

/** The wait before the stream is opened again after it ended. */
const lookAgain = seconds(0.2);

/** With the cookie of a launched page, it sees the frames of the person in front. */
export function passBy(
  page: string,
  { cookie, clock = systemClock }: { readonly cookie?: string; readonly clock?: Clock } = {},
): PasserBy {
  const gone = new AbortController();
  const news = createNews();
  let sight: Sight | undefined;
  const take = (event: string) => {
    const [, data] = /^id: \d+\ndata: (.*)$/.exec(event) ?? [];
    if (data === undefined) return;
    const said = sight?.sentence;
    sight = frame.parse(JSON.parse(data));
    if (sight.sentence === said) news.changed();
    else news.tell(sight.sentence);
  };
  const looking = look();
  return {
    ...news.audience,
    sight: () => sight,
    async [Symbol.asyncDispose]() {
      gone.abort();
      await looking;
    },
  };

  async function look(): Promise<void> {
    while (!gone.signal.aborted) {
      try {
        await follow({ address: `${page}/events`, cookie }, take, gone.signal);
      } catch {
        // A failure needs no report: a test that waits for the page will time out.
      }
      await clock.sleep(lookAgain, { signal: gone.signal }).catch(() => undefined);
    }
  }
}

async function follow(
  { address, cookie }: { readonly address: string; readonly cookie: string | undefined },
  take: (event: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const call = request(address, { signal, ...(cookie !== undefined && { headers: { cookie } }) }).end();
  const [answer] = (await once(call, 'response', { signal })) as [IncomingMessage];
  let rest = '';
  for await (const part of answer.setEncoding('utf8')) {
    const events = (rest + String(part)).split('\n\n');
    rest = events.pop() ?? '';
    events.forEach(take);
  }
}
