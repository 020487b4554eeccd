/**
 * Thirty days in one go: people come and print 100,000 documents while the clock of agent and service is put forward by
 * a month, with its token refreshes, status reports and compactions (reliability.md G10). What the agent holds is looked
 * at when nobody is there, after it has collected its garbage.
 */
import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { minutes } from '../../src/core/duration.ts';
import { samplePdf } from '../../src/simulator/sample-pdf.ts';
import { sampleData } from '../../src/simulator/sample-data.ts';
import { forwardClock } from '../faults/forward-clock.ts';
import type { Stage } from '../flows/stage.ts';
import { aliceCard, setStage } from '../flows/stage.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, megabytes } from './figures.ts';
import type { Holding, SoakOrder, SoakWord } from './soak-agent.ts';

const releases = 100_000;
const documentsEach = 50;
const sessions = releases / documentsEach;
const looks = 50;
const days = 30;
/** Between two sessions, in so many leaps: what is on its way is answered between them. */
const leaps = 4;
const leap = minutes((days * 24 * 60) / sessions / leaps);
/** Milliseconds. */
const betweenLeaps = 5;
/** Of the run: until then caches fill and V8 compiles. */
const warmUp = 0.2;
/** Milliseconds: until connections that are kept for the next call are closed. */
const settling = 10_000;

interface Look extends Holding {
  readonly released: number;
}

export async function measureSoak(): Promise<Measurement> {
  const clock = forwardClock();
  await using stage = await setStage({
    clock,
    cloud: { seed: { ...sampleData, documents: [] }, clock },
    terminal: { session: { autoRelease: true } },
  });
  await using agent = startSoakAgent(stage.configFile);
  await agent.told('terminal ready', 1);
  await agent.told('reader up', 1);

  await sleep(settling);
  const seen: Look[] = [{ released: 0, ...(await agent.look()) }];
  const bytes = samplePdf({ title: 'Note', pages: 1 });
  for (let session = 1; session <= sessions; session += 1) {
    for (let number = 1; number <= documentsEach; number += 1) {
      stage.cloud.addDocument({ owner: 'alice', name: `Note ${session}-${number}.pdf`, bytes });
    }
    stage.reader.tap(aliceCard);
    await agent.told('history accepted', documentsEach);
    await agent.told('session closed', 1);
    await stage.cloud.waitFor(() => stage.cloud.state.documents.every(({ info }) => info.status === 2));
    for (let step = 0; step < leaps; step += 1) {
      clock.forward(leap);
      agent.forward(leap);
      await sleep(betweenLeaps);
    }
    forgetWhatIsPast(stage);
    if (session === sessions) await sleep(settling);
    if (session % (sessions / looks) === 0) {
      seen.push({ released: session * documentsEach, ...(await agent.look()) });
    }
  }
  return report(seen, sizeOf(join(stage.folder, 'state')));
}

function startSoakAgent(configFile: string) {
  const file = fileURLToPath(new URL('soak-agent.ts', import.meta.url));
  const child = fork(file, [configFile], {
    // As `tools/platen.js` starts it.
    execArgv: ['--expose-gc', '--max-semi-space-size=1'],
    env: { ...process.env, MALLOC_ARENA_MAX: '1' },
  });
  const words = on(child, 'message', { close: ['exit'] }) as AsyncIterator<[SoakWord]>;
  const counts = new Map<string, number>();
  let holding: Holding | undefined;
  const order = (one: SoakOrder) => void child.send(one);

  async function listen(): Promise<void> {
    const { done, value } = await words.next();
    if (done === true) throw new Error('the agent of the soak ended');
    const [word] = value;
    if ('holding' in word) holding = word.holding;
    else counts.set(word.told, (counts.get(word.told) ?? 0) + 1);
  }
  return {
    /** Resolves when it was told so often since it was waited for. */
    async told(message: string, times: number): Promise<void> {
      while ((counts.get(message) ?? 0) < times) await listen();
      counts.set(message, (counts.get(message) ?? 0) - times);
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

/** What cloud and printer remember would fill the memory of this process, and their folder the disk. */
function forgetWhatIsPast({ cloud, printer }: Stage): void {
  const { documents, history } = cloud.state;
  for (const list of [documents, history, cloud.calls, printer.outputs, printer.requests]) {
    (list as unknown[]).length = 0;
  }
  for (const name of readdirSync(printer.outputFolder)) rmSync(join(printer.outputFolder, name));
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
      `${sessions} sessions of ${documentsEach} documents at one terminal, its clock put forward by ${days} days; ` +
      `memory after a collection, the slope over the last ${100 * (1 - warmUp)} %. The state directory then: ${inMegabytes(stateSize)}.`,
    rows: [
      ['releases', 'resident', 'of it heap', 'descriptors', 'timers'],
      ...shown.map(({ released, resident, heap, descriptors, timers }) => [
        String(released),
        inMegabytes(resident),
        inMegabytes(heap),
        String(descriptors),
        String(timers),
      ]),
    ],
    goals: [
      { what: 'resident memory a release', figure: slope, limit: 50, unit: 'bytes' },
      { what: 'descriptors more', figure: last.descriptors - first.descriptors, limit: 0, unit: 'of them' },
      { what: 'timers more', figure: last.timers - first.timers, limit: 0, unit: 'of them' },
      { what: 'state directory', figure: megabytes(stateSize), limit: 70, unit: 'MB' },
    ],
  };
}
