/**
 * Thirty days in one go: people come and print 100,000 documents while the clock of agent and service is put forward by
 * a month, with its token refreshes, status reports and compactions (INVARIANTS.md G10). What the agent holds is looked
 * at when nobody is there, after it has collected its garbage.
 */
import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Duration } from '../../src/core/duration.ts';
import { minutes, seconds } from '../../src/core/duration.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import type { VirtualReader } from '../../src/simulator/reader/reader.ts';
import { startVirtualReader } from '../../src/simulator/reader/reader.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import type { ForwardClock } from '../support/forward-clock.ts';
import { forwardClock } from '../support/forward-clock.ts';
import type { Stage } from '../support/agent/stage.ts';
import { aliceCard, bobCard, carolCard, setStage } from '../support/agent/stage.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, inMilliseconds, megabytes } from './figures.ts';
import type { Holding, SoakOrder, SoakWord } from './soak-agent.ts';

const releases = 100_000;
const documentsEach = 50;
const people = [
  { owner: 'alice', card: aliceCard },
  { owner: 'bob', card: bobCard },
  { owner: 'carol', card: carolCard },
  { owner: 'admin', card: '04ADADADAD' },
] as const;
const rounds = releases / documentsEach / people.length;
const looks = 50;
const days = 30;
/** Between two rounds, in so many leaps: what is on its way is answered between them. */
const leaps = 16;
const leap = minutes((days * 24 * 60) / rounds / leaps);
/** Milliseconds. */
const betweenLeaps = 5;
/** So fast that nobody waits for long, so slow that every call is answered within its deadline. */
const stride = seconds(1);
const betweenStrides = 10;
/** Of the run: until then caches fill and V8 compiles. */
const warmUp = 0.2;
/** Milliseconds: until connections that are kept for the next call are closed. */
const settling = 10_000;
const quietLooks = 20;

interface Look extends Holding {
  readonly released: number;
}

/** The same badge counts again after so long. */
const cardAway = seconds(3);
/** Milliseconds: for deletions that follow a session. */
const patience = 2000;
/** In memory: what is measured is the agent, and its state is some ten megabytes. */
const folderOfAll = '/dev/shm';

export async function measureSoak(): Promise<Measurement> {
  process.env['TMPDIR'] = folderOfAll;
  const clock = forwardClock();
  await using opened = new AsyncDisposableStack();
  const { stage, desks } = await openDesks(opened, clock);
  const agent = opened.use(startSoakAgent(stage.configFile));
  for (const message of ['terminal ready', 'reader up']) await agent.told(message, desks.length);
  const leapBy = (span: Duration) => {
    clock.forward(span);
    agent.forward(span);
  };

  const seen: Look[] = [{ released: 0, ...(await quietLook(agent)) }];
  const bytes = samplePdf({ title: 'Note', pages: 1 });
  for (let round = 1; round <= rounds; round += 1) {
    for (const { owner } of desks) {
      for (let number = 1; number <= documentsEach; number += 1) {
        stage.cloud.addDocument({ owner, name: `Note ${round}-${number}.pdf`, bytes });
      }
    }
    for (let waiting = desks; waiting.length > 0; waiting = desks.filter((desk) => !isServed(stage, desk))) {
      // What a leap of the clock cut off is made again: a look at the printer, a login.
      while (!(await agent.isReady())) {
        leapBy(stride);
        await sleep(betweenStrides);
      }
      leapBy(cardAway);
      for (const { reader, card } of waiting) reader.tap(card);
      await agent.toldAny(['session closed', 'login failed', 'card ignored'], waiting.length);
      for (let waited = 0; waited < patience && !desks.every((desk) => isServed(stage, desk)); waited += 10) {
        await sleep(10);
      }
    }
    await agent.told('history accepted', documentsEach * desks.length);
    for (let step = 0; step < leaps; step += 1) {
      leapBy(leap);
      await sleep(betweenLeaps);
    }
    forgetWhatIsPast(stage, desks);
    if (round % (rounds / looks) === 0) {
      const holding = await (round === rounds ? quietLook(agent) : agent.look());
      const released = round * documentsEach * desks.length;
      seen.push({ released, ...holding });
      console.error(`${released} of ${releases} releases: ${inMegabytes(holding.resident)} resident`);
    }
  }
  return report(seen, sizeOf(join(stage.folder, 'state')));
}

interface Desk {
  readonly owner: string;
  readonly card: string;
  readonly reader: VirtualReader;
  readonly printer: VirtualPrinter;
}

/** A terminal for each of the people, with a printer and a reader of its own. */
async function openDesks(opened: AsyncDisposableStack, clock: ForwardClock) {
  const session = { autoRelease: true };
  const furniture = [];
  for (const [index, person] of people.entries()) {
    const printer = opened.use(await startVirtualPrinter());
    const reader = opened.use(await startVirtualReader({}));
    const terminal = {
      id: `terminal-${index}`,
      serialNumber: `SN-${index}`,
      session,
      printer: { uri: printer.uri },
      readers: [{ type: 'serial', path: reader.path }],
    };
    furniture.push({ terminal, desk: { ...person, printer, reader } });
  }
  const [first, ...others] = furniture.map(({ terminal }) => terminal);
  const seed = { ...sampleData, documents: [] };
  // The agent's own limit would make this last for hours.
  const config = { cloud: { limits: { requestsPerSecond: 1000, burst: 1000 } } };
  const stage = opened.use(
    await setStage({ clock, cloud: { seed, clock }, config, ...(first && { terminal: first }), others }),
  );
  return { stage, desks: furniture.map(({ desk }): Desk => desk) };
}

function startSoakAgent(configFile: string) {
  const file = fileURLToPath(new URL('soak-agent.ts', import.meta.url));
  const child = fork(file, [configFile], {
    // As `tools/platen.js` starts it.
    execArgv: ['--expose-gc', '--max-semi-space-size=8'],
    env: { ...process.env, MALLOC_ARENA_MAX: '1' },
  });
  const words = on(child, 'message', { close: ['exit'] }) as AsyncIterator<[SoakWord]>;
  const counts = new Map<string, number>();
  let holding: Holding | undefined;
  let operations = '';
  const order = (one: SoakOrder) => void child.send(one);

  async function listen(): Promise<void> {
    const { done, value } = await words.next();
    if (done === true) throw new Error('the agent of the soak ended');
    const [word] = value;
    if ('holding' in word) holding = word.holding;
    else counts.set(word.told, (counts.get(word.told) ?? 0) + 1);
    if ('told' in word) operations = word.operations ?? operations;
  }
  return {
    /** Resolves when it was told so often since it was waited for. */
    async told(message: string, times: number): Promise<void> {
      while ((counts.get(message) ?? 0) < times) await listen();
      counts.set(message, (counts.get(message) ?? 0) - times);
    },
    /** Resolves when they were told so often, all in all, since they were waited for. */
    async toldAny(messages: readonly string[], times: number): Promise<void> {
      const told = () => messages.reduce((sum, message) => sum + (counts.get(message) ?? 0), 0);
      while (told() < times) await listen();
      for (const message of messages) counts.delete(message);
    },
    /** Every terminal can release. */
    async isReady(): Promise<boolean> {
      const { terminals } = await (await fetch(`http://${operations}/readyz`)).json();
      return Object.values(terminals).every(Boolean);
    },
    forward: (span: number) => order({ forward: span }),
    async look(): Promise<Holding> {
      holding = undefined;
      order('look');
      for (;;) {
        await listen();
        // TypeScript does not see that listening sets it.
        const held = holding as Holding | undefined;
        if (held) return held;
      }
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** When what is on its way has come to an end: a look at the printer or a report may go out at any moment. */
async function quietLook(agent: ReturnType<typeof startSoakAgent>): Promise<Holding> {
  await sleep(settling);
  const held: Holding[] = [];
  for (let time = 0; time < quietLooks; time += 1) {
    held.push(await agent.look());
    await sleep(settling / quietLooks);
  }
  const least = (figure: keyof Holding) => Math.min(...held.map((one) => one[figure]));
  return {
    resident: least('resident'),
    heap: least('heap'),
    descriptors: least('descriptors'),
    timers: least('timers'),
    pause: least('pause'),
  };
}

const isServed = ({ cloud }: Stage, desk: Desk): boolean =>
  cloud.state.documents.every(
    ({ owner, info }) => owner !== desk.owner || info.status === documentStatus.DELETED,
  );

/** What cloud and printer remember would fill the memory of this process, and their folder the disk. */
function forgetWhatIsPast({ cloud }: Stage, desks: readonly Desk[]): void {
  const { documents, history } = cloud.state;
  const lists = desks.flatMap(({ printer }) => [printer.outputs, printer.requests]);
  for (const list of [documents, history, cloud.calls, ...lists]) (list as unknown[]).length = 0;
  for (const { printer } of desks) {
    // The last one stays: the next is numbered after it.
    (printer.jobs as unknown[]).splice(0, printer.jobs.length - 1);
    for (const name of readdirSync(printer.outputFolder)) rmSync(join(printer.outputFolder, name));
  }
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

/** Of a straight line through the looks, by least squares: bytes a release. */
function slopeOf(looked: readonly Look[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const x = mean(looked.map(({ released }) => released));
  const y = mean(looked.map(({ resident }) => resident));
  const spread = looked.reduce((sum, { released }) => sum + (released - x) ** 2, 0);
  return looked.reduce((sum, { released, resident }) => sum + (released - x) * (resident - y), 0) / spread;
}

function report(seen: readonly Look[], stateSize: number): Measurement {
  const steady = seen.filter(({ released }) => released >= warmUp * releases);
  const [first] = seen;
  const last = seen.at(-1);
  if (!first || !last) throw new Error('nothing was looked at');
  const slope = slopeOf(steady);
  const shown = seen.filter((_, index) => index % 10 === 0);
  return {
    title: `${days} days, ${releases} releases`,
    how:
      `${rounds} times ${people.length} people with ${documentsEach} documents each, at a terminal each; the clock is put forward by ${days} days; ` +
      `memory after a collection, the slope over the last ${100 * (1 - warmUp)} %. The state directory then: ${inMegabytes(stateSize)}.`,
    rows: [
      ['releases', 'resident', 'of it heap', 'descriptors', 'timers', 'event loop p99.9'],
      ...shown.map(({ released, resident, heap, descriptors, timers, pause }) => [
        String(released),
        inMegabytes(resident),
        inMegabytes(heap),
        String(descriptors),
        String(timers),
        inMilliseconds(pause),
      ]),
    ],
    goals: [
      { what: 'resident memory a release', figure: slope, limit: 50, unit: 'bytes' },
      { what: 'descriptors more', figure: last.descriptors - first.descriptors, limit: 0, unit: 'of them' },
      { what: 'timers more', figure: last.timers - first.timers, limit: 0, unit: 'of them' },
      { what: 'event loop, p99.9', figure: last.pause, limit: 50, unit: 'ms' },
      { what: 'state directory', figure: megabytes(stateSize), limit: 70, unit: 'MB' },
    ],
  };
}
