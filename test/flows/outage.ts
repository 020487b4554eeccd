/**
 * The service goes away and comes back in the agent's time, of which half an hour passes in a moment of ours. Agent,
 * cloud and printer live by one clock, so tokens grow old meanwhile. Requests are counted where the agent makes them,
 * because a service that refuses connections hears of none.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect } from 'vitest';
import type { Duration } from '../../src/core/duration.ts';
import { inSeconds, milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import type { CloudDocument } from '../../src/simulator/cloud/state.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import type { ForwardClock } from '../support/forward-clock.ts';
import { forwardClock } from '../support/forward-clock.ts';
import type { Screen } from '../support/agent/screen.ts';
import { launchScreen } from '../support/agent/screen.ts';
import type { Running, Stage, StageOptions } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

/** Nobody listens on its port, or what stands before it answers in its place. */
type Absence = 'refuses connections' | 'answers 503' | 'answers 503 with Retry-After 30';

export interface OutageOptions extends Omit<StageOptions, 'clock'> {
  /** `refuses connections` unless said. */
  readonly absence?: Absence;
}

export interface Outage extends Stage {
  readonly clock: ForwardClock;
  /** alice's one document; the terminal lets everything out at the first badge. */
  readonly document: CloudDocument;
  /** The service goes away, also in the middle of an answer. */
  begin(): Promise<void>;
  /** So much of the agent's time goes by. */
  pass(span: Duration): Promise<void>;
  /** The service is back. */
  end(): Promise<void>;
  /** Seconds of the agent's time from the return of the service until this is so. */
  healed(then: Promise<unknown>): Promise<number>;
  /** Nothing knocked more often than an outage is worth, and nothing stormed when it was over. */
  expectCalm(): void;
}

/** The agent at work, and what it shows. */
export interface Visit extends AsyncDisposable {
  readonly agent: Running;
  readonly screen: Screen;
  /** alice holds her card to the reader, long enough after the last time; resolves when it was read. */
  badge(): Promise<void>;
  /** The last sentence is this one, within 2 s of the agent's time unless said. */
  expectShown(sentence: string, limit?: { readonly within: Duration }): Promise<void>;
}

/** Requests of an agent with one terminal. */
const most = {
  /**
   * In the busiest minute, which is the first: five until the API is left alone, from then on one in 15 s (B.3); and
   * the OAuth side by its own growing pauses of 2, 4, 8, 16 and 32 s.
   */
  perMinute: 12,
  /** One in 15 s to the API, one in 45 s to the OAuth side, and those of the first minute. */
  onAverage: 6,
  /**
   * In the first 10 s after the return: the eight duties of the agent (version, token, ports, config, status, history
   * looked up and posted, deletion) and the four calls of a badge; where the device token had died meanwhile, those
   * that notice are made twice, and what an authorization reads is read again.
   */
  atTheReturn: 20,
} as const;

/** What a person waits for is tried once, or twice more, whatever the agent does besides. */
const forPersons = /^POST \S+\/login$|^GET \S+\/documents\?|\.content\?/;

export async function prepareOutage({
  absence = 'refuses connections',
  ...options
}: OutageOptions = {}): Promise<Outage> {
  const clock = forwardClock();
  const stage = await setStage({
    ...options,
    clock,
    terminal: { session: { autoRelease: true }, ...options.terminal },
    cloud: { seed: { ...sampleData, documents: [] }, ...options.cloud },
  });
  const { cloud } = stage;
  const document = cloud.addDocument({ owner: 'alice', name: 'Quarterly report.pdf', pages: 3 });
  const requests = countRequests(new Set([cloud.baseUrl, cloud.authUrl]), clock);
  let begun = 0;
  let ended = 0;

  return {
    ...stage,
    clock,
    document,
    async begin() {
      begun = clock.monotonic();
      await cloud.goAway();
      if (absence === 'refuses connections') return;
      const headers = { ...(absence === 'answers 503' ? {} : { 'retry-after': '30' }) };
      cloud.always({ path: /./ }, { kind: 'status', status: 503, headers });
      await cloud.comeBack();
    },
    pass: (span) => clock.hurry(clock.sleep(span)),
    async end() {
      ended = clock.monotonic();
      cloud.behaveWell();
      if (absence === 'refuses connections') await cloud.comeBack();
    },
    async healed(then) {
      await clock.hurry(then);
      return inSeconds(milliseconds(clock.monotonic() - ended));
    },
    expectCalm() {
      const away = requests.made.filter(({ at }) => at >= begun && at < ended);
      const byItself = away.filter(({ what }) => !forPersons.test(what));
      const inMinuteFrom = (from: number) =>
        byItself.filter(({ at }) => at >= from && at < from + minutes(1)).length;
      const busiest = Math.max(...byItself.map(({ at }) => inMinuteFrom(at)));
      expect(busiest).toBeLessThanOrEqual(most.perMinute);
      expect(byItself.length).toBeLessThanOrEqual(most.onAverage * ((ended - begun) / minutes(1)));
      const rush = requests.made.filter(({ at }) => at >= ended && at < ended + seconds(10));
      expect(rush.length).toBeLessThanOrEqual(most.atTheReturn);
    },
    async [Symbol.asyncDispose]() {
      requests[Symbol.dispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

interface Requests extends Disposable {
  /** With the agent's time of each, and method and path. */
  readonly made: readonly { readonly at: number; readonly what: string }[];
}

function countRequests(origins: ReadonlySet<string>, clock: ForwardClock): Requests {
  const made: { at: number; what: string }[] = [];
  const count = (message: unknown) => {
    const { request } = message as { request: { origin: string; method: string; path: string } };
    if (!origins.has(request.origin)) return;
    made.push({ at: clock.monotonic(), what: `${request.method} ${request.path}` });
  };
  subscribe('undici:request:create', count);
  return { made, [Symbol.dispose]: () => void unsubscribe('undici:request:create', count) };
}

export async function visit(outage: Outage): Promise<Visit> {
  const { clock, reader } = outage;
  const agent = await outage.start();
  const screen = await launchScreen(agent);
  return {
    agent,
    screen,
    async badge() {
      clock.forward(seconds(2));
      reader.tap(aliceCard);
      await clock.standStill(agent.told('card read'));
    },
    async expectShown(sentence, { within } = { within: seconds(2) }) {
      expect(await clock.spanOf(screen.reads(sentence))).toBeLessThanOrEqual(within);
    },
    async [Symbol.asyncDispose]() {
      await clock.hurry(agent.stop());
      await screen[Symbol.asyncDispose]();
    },
  };
}

/** The agent is ready, and its reader is open. */
export async function visitReady(outage: Outage): Promise<Visit> {
  const visited = await visit(outage);
  await outage.clock.hurry(visited.agent.told('terminal ready'));
  await visited.agent.told('reader up');
  return visited;
}
