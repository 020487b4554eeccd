/** The page of each terminal as a browser that never gives up: all frames it is told, and the words said on it. */
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import type { Clock } from '../../src/core/clock.ts';
import type { Duration } from '../../src/core/duration.ts';
import { milliseconds } from '../../src/core/duration.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import type { Command } from '../../src/kiosk/commands.ts';

export interface Kiosk {
  /** `127.0.0.1:…`; absent while no agent runs. */
  readonly address: string | undefined;
  readonly life: number;
  /** What a browser is started with. */
  launchSecret(): string;
}

export interface Browser {
  /** Of each terminal its own. */
  readonly cookies: Map<string, string>;
  launching?: Promise<void>;
}

export interface Screen {
  readonly terminal: string;
  /** The last frame, from the agent that runs now; nothing while none does. */
  current(): Frame | undefined;
  /** `false` when it did not come so within the span. */
  until(holds: (frame: Frame) => boolean, span: Duration): Promise<boolean>;
  /** The status of the answer; 0 where nobody answered. */
  say(command: Command): Promise<number>;
  /** There is another kiosk now, or none. */
  look(): void;
}

/** Before a browser asks again (HTML standard, 9.2.3: its own choice). */
const redial = milliseconds(700);

export function openScreen(world: {
  readonly terminal: string;
  readonly clock: Clock;
  kiosk(): Kiosk;
  /** One browser has the pages of all terminals, and is launched once for each. */
  readonly browser: Browser;
  onFrame(frame: Frame, life: number): void;
}): Screen {
  const { terminal, clock, kiosk, browser, onFrame } = world;
  const connections = new Agent({ keepAlive: true });
  const watchers = new Set<() => void>();
  let last: Frame | undefined;
  let name: string | undefined;
  let watched: string | undefined;

  function changed(): void {
    for (const watcher of [...watchers]) watcher();
  }

  async function launch(address: string): Promise<void> {
    if (browser.cookies.has(terminal)) return;
    const answer = await ask(address, `/t/${terminal}?launch=${kiosk().launchSecret()}`);
    answer?.resume();
    const cookie = answer?.headers['set-cookie']?.[0]?.split(';')[0];
    if (cookie !== undefined) browser.cookies.set(terminal, cookie);
  }

  function ask(
    address: string,
    path: string,
    sent?: { readonly headers: Record<string, string>; readonly body: string },
  ): Promise<IncomingMessage | undefined> {
    const [host, port] = address.split(':');
    const cookie = browser.cookies.get(terminal);
    const headers = { ...(cookie === undefined ? {} : { cookie }), ...sent?.headers };
    return new Promise((resolve) => {
      const method = sent ? 'POST' : 'GET';
      const asked = request({ host, port, path, method, headers, agent: connections }, resolve);
      asked.on('error', () => resolve(undefined));
      asked.end(sent?.body);
    });
  }

  async function watch(address: string): Promise<void> {
    const { life } = kiosk();
    browser.launching = (browser.launching ?? Promise.resolve()).then(() => launch(address));
    await browser.launching;
    const answer = await ask(address, `/t/${terminal}/events`);
    if (answer?.statusCode !== 200) {
      answer?.resume();
      return;
    }
    let rest = '';
    answer.setEncoding('utf8');
    answer.on('data', (part: string) => {
      const events = (rest + part).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const named = /^event: page\ndata: (.*)$/.exec(event)?.[1];
        if (named !== undefined) name = named;
        const data = /^id: \d+\ndata: (.*)$/.exec(event)?.[1];
        if (data === undefined) continue;
        last = JSON.parse(data) as Frame;
        onFrame(last, life);
        changed();
      }
    });
    await new Promise<void>((resolve) => {
      answer.on('error', () => undefined);
      answer.once('close', resolve);
    });
  }

  async function keepWatching(address: string): Promise<void> {
    watched = address;
    while (kiosk().address === address) {
      await watch(address);
      last = undefined;
      if (kiosk().address === address) await clock.sleep(redial);
    }
    if (watched === address) watched = undefined;
  }

  return {
    terminal,
    current: () => last,
    look() {
      const { address } = kiosk();
      if (address === undefined || address === watched) return;
      void keepWatching(address);
    },
    until(holds, span) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const look = () => {
        if (last && holds(last)) resolve(true);
      };
      watchers.add(look);
      clock.sleep(span).then(
        () => resolve(false),
        () => resolve(false),
      );
      look();
      return promise.finally(() => watchers.delete(look));
    },
    async say(command) {
      const { address } = kiosk();
      if (address === undefined) return 0;
      const answer = await ask(address, `/t/${terminal}/commands`, {
        headers: {
          'content-type': 'application/json',
          origin: `http://${address}`,
          ...(name === undefined ? {} : { 'platen-page': name }),
        },
        body: JSON.stringify(command),
      });
      answer?.resume();
      return answer?.statusCode ?? 0;
    },
  };
}
