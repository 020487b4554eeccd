/**
 * What the cells of the matrix play on: an agent with one terminal that lets everything out at the first badge, alice
 * and bob before it, and a fault that strikes one of its calls. Its time runs as fast as the work allows.
 */
import { expect } from 'vitest';
import type { LogRecord } from '../../../src/commands/logs/sentences.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { Duration } from '../../../src/core/duration.ts';
import { longest, milliseconds } from '../../../src/core/duration.ts';
import type { TerminalView } from '../../../src/domain/terminal/terminal-view.ts';
import type { CloudDocument } from '../../../src/simulator/cloud/state.ts';
import type { CloudOptions } from '../../../src/simulator/cloud/cloud.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import type { Screen } from '../../support/agent/screen.ts';
import { launchScreen, passBy } from '../../support/agent/screen.ts';
import type { Running, Stage } from '../../support/agent/stage.ts';
import { aliceCard, bobCard, setStage } from '../../support/agent/stage.ts';
import type { ForwardClock } from '../../support/forward-clock.ts';
import { forwardClock } from '../../support/forward-clock.ts';
import type { Fault } from '../../support/standard-faults/faults.ts';
import { faults } from '../../support/standard-faults/faults.ts';
import type { Strike, Target } from '../../support/standard-faults/strike.ts';
import { strike } from '../../support/standard-faults/strike.ts';
import { createWay } from '../../support/standard-faults/way.ts';
import { eventually } from '../../support/patience.ts';

export type Person = 'alice' | 'bob';

/** What the terminal makes of a badge while nobody is in a session. */
const answers = ['session opened', 'login failed', 'card ignored'] as const;
type Answer = (typeof answers)[number];

export interface MatrixStage extends AsyncDisposable, Pick<Stage, 'cloud' | 'printer'> {
  readonly clock: ForwardClock;
  /** The agent is started, once; badges can be read, and its screen is watched. */
  start(): Promise<Running>;
  /** Started, and the terminal is ready. */
  enter(): Promise<void>;
  /** What was told before does not count any more. */
  begin(): void;
  /** The next record that fits; in a hurry. */
  told(msg: string, fits?: (record: LogRecord) => boolean): Promise<LogRecord>;
  wasTold(msg: string): boolean;
  /** In a hurry. */
  soon<Result>(work: Promise<Result>): Promise<Result>;
  /** In a hurry, and still slow enough for calls that are under way to be answered in time. */
  pass(span: Duration): Promise<void>;
  addDocument(owner: Person, mark: string): CloudDocument;
  /** Holds the card to the reader; resolves when it was read. No hurry. */
  tap(person: Person): Promise<void>;
  /** The same; tells what the terminal made of it, in a hurry. */
  badge(person: Person): Promise<Answer>;
  strike(target: Target): Strike;
  /** Resolves when both screens show what the terminal shows. */
  caughtUp(): Promise<void>;
  views(): readonly TerminalView[];
  /** Those that a passer-by was shown. */
  publicViews(): readonly TerminalView[];
  /** For whoever reads that a cell failed. */
  lastRecords(): string;
}

export interface MatrixStageOptions {
  readonly fault: Fault;
  readonly cloud?: CloudOptions;
}

const cards = { alice: aliceCard, bob: bobCard } as const;
/** What a reader takes for a card that was away, and for another one. */
const cardAway = { same: 2000, another: 400 } as const;

export async function openStage({ fault, cloud: wanted }: MatrixStageOptions): Promise<MatrixStage> {
  await using opened = new AsyncDisposableStack();
  const way = opened.use(typeof faults[fault].by === 'string' ? createWay() : undefined);
  const clock = forwardClock();
  const stage = opened.use(
    await setStage({
      clock,
      terminal: { session: { autoRelease: true } },
      cloud: {
        clock: way ? clock : systemClock,
        seed: { ...sampleData, documents: [] },
        ...wanted,
        ...(way && { tls: way.tls }),
      },
      ...(way && { config: { cloud: { caFile: way.caFile } }, lookup: way.lookup }),
    }),
  );
  const { cloud, printer, reader } = stage;
  await way?.openFor(cloud);
  const held = opened.move();

  let starting: Promise<Running> | undefined;
  let entering: Promise<LogRecord> | undefined;
  let agent: Running | undefined;
  let screen: Screen | undefined;
  let passing: Screen | undefined;
  let begun = 0;
  const tappedAt = new Map<Person, number>();

  const soon = <Result>(work: Promise<Result>) => clock.hurry(work);
  const recordsSince = (first: number) => agent?.records.slice(first) ?? [];

  async function launch(): Promise<Running> {
    agent = await stage.start();
    screen = held.use(await launchScreen(agent));
    passing = held.use(await passBy(agent));
    await agent.told('reader up');
    return agent;
  }
  const start = () => (starting ??= launch());

  async function told(msg: string, fits: (record: LogRecord) => boolean = () => true): Promise<LogRecord> {
    const running = await start();
    return soon(running.told(msg, (one) => recordsSince(begun).includes(one) && fits(one)));
  }

  async function tap(person: Person): Promise<void> {
    const running = await start();
    const away = clock.monotonic() - (tappedAt.get(person) ?? 0);
    clock.forward(longest(milliseconds(0), milliseconds(Math.ceil(cardAway.same - away))));
    // However slow the machine is, a call that failed is not repeated before the card is read.
    await clock.standStill(readOff(running, cards[person]));
    tappedAt.set(person, clock.monotonic());
    clock.forward(milliseconds(cardAway.another));
  }

  async function readOff(running: Running, card: string): Promise<void> {
    reader.tap(card);
    await running.told('card read');
  }

  /** A frame may still be on its way to a screen. */
  async function caughtUp(): Promise<void> {
    const running = await start();
    await using newcomer = await passBy(running);
    const { generation } = await newcomer.shows(() => true);
    const shown = () => [screen, passing].map((one) => one?.views.at(-1)?.generation ?? -1);
    await eventually(() => expect(Math.min(...shown())).toBeGreaterThanOrEqual(generation));
  }

  async function badge(person: Person): Promise<Answer> {
    const before = agent?.records.length ?? 0;
    await tap(person);
    const answer = () => answers.find((one) => recordsSince(before).some(({ msg }) => msg === one));
    await soon(eventually(() => expect(answer()).toBeDefined()));
    return answer() ?? 'card ignored';
  }

  return {
    cloud,
    printer,
    clock,
    start,
    told,
    soon,
    tap,
    badge,
    async enter() {
      entering ??= told('terminal ready');
      await entering;
    },
    begin() {
      begun = agent?.records.length ?? 0;
    },
    wasTold: (msg) => recordsSince(begun).some((one) => one.msg === msg),
    pass: (span) => clock.hurry(clock.sleep(span)),
    addDocument: (owner, mark) => cloud.addDocument({ owner, name: `For ${owner}, ${mark}.pdf`, pages: 1 }),
    strike: (target) => strike({ cloud, way }, fault, target),
    caughtUp: () => soon(caughtUp()),
    views: () => screen?.views ?? [],
    publicViews: () => passing?.views ?? [],
    lastRecords: () =>
      recordsSince(0)
        .slice(-40)
        .map((one) => JSON.stringify(one))
        .join('\n'),
    async [Symbol.asyncDispose]() {
      way?.mend();
      await soon(held.disposeAsync());
    },
  };
}
