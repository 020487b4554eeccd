/**
 * What becomes of one document at a printer with a habit: let out by Platen, and beside it printed by CUPS's ipp
 * backend, each at a printer of its own with that habit. Judged by what the printer itself recorded.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import type { VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { openReleaseRegister } from '../../src/store/ledger/release-register.ts';
import { bobCard, setStage } from '../support/agent/stage.ts';
import type { Measurement } from './figures.ts';
import type { Scene } from './habit-scenes.ts';
import { scenes } from './habit-scenes.ts';
import { runBackend } from './ipp-backend.ts';

/** Milliseconds. Whoever has no word by then is still at it. */
const limit = 60_000;
const pages = 5;
/** Long enough to be cut, and not in ASCII alone. */
const title =
  'Überarbeitete Pläne der Außenfassade und der Dächer, dritter Bauabschnitt, mit den Änderungen der Behörden vom Frühjahr.pdf';
/** Milliseconds. No printer that is printed to was switched on in the same second. */
const age = 2500;
/** They wait most of their time. */
const sideBySide = 10;

/** What one side made of the document. */
interface Told {
  /** The printer's record. */
  readonly came: string;
  readonly said: string;
  readonly seconds: string;
  /** It said that all is well or that nothing came out, and that is not so. */
  readonly isFalse: boolean;
  readonly cameTwice: boolean;
}

export async function measureHabits(): Promise<Measurement> {
  const all = scenes();
  const tried: { scene: Scene; platen: Told; cups: Told }[] = [];
  const waiting = all.entries();
  const lane = async () => {
    for (const [at, scene] of waiting) {
      const [platen, cups] = await Promise.all([byPlaten(scene), byBackend(scene)]);
      tried[at] = { scene, platen, cups };
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, lane));
  const version = execFileSync('ipptool', ['--version'], { encoding: 'utf8' }).trim();
  const goal = (what: string, holds: (told: Told) => boolean) => ({
    what,
    figure: tried.filter(({ platen }) => holds(platen)).length,
    limit: 0,
    unit: 'of them' as const,
  });
  return {
    title: 'Habits of printers: what came out, and what was said of it',
    how:
      `One document of ${pages} pages each by Platen and by the ipp backend of ${version}, which is run once, without ` +
      `the scheduler that runs it again on RETRY. Whoever has no word after ${limit / 1000} s is still at it.`,
    rows: [
      ['habit', 'who has it', 'Platen: came out', 'said', 's', 'CUPS: came out', 'said', 's', 'source'],
      ...tried.map(({ scene, platen, cups }) => [
        scene.habits.join(', ') || 'none',
        scene.who,
        ...cells(platen),
        ...cells(cups),
        scene.source,
      ]),
    ],
    goals: [
      goal('documents that came out twice', ({ cameTwice }) => cameTwice),
      goal('outcomes that are false', ({ isFalse }) => isFalse),
    ],
  };
}

const cells = ({ came, said, seconds: span, isFalse }: Told) => [
  came,
  isFalse ? `${said}: not so` : said,
  span,
];

const printerWith = ({ habits, pageTime }: Scene) =>
  startVirtualPrinter({ habits, pageTime: milliseconds(pageTime) });

async function byPlaten(scene: Scene): Promise<Told> {
  await using printer = await printerWith(scene);
  await using stage = await setStage({
    cloud: { seed: { ...sampleData, documents: [{ owner: 'bob', name: title, pages }] } },
    terminal: { session: { autoRelease: true }, printer: { uri: printer.uri } },
  });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  await new Promise((resolve) => setTimeout(resolve, age));
  printer.fallAsleep();
  const since = performance.now();
  stage.reader.tap(bobCard);
  const hasEnded = () => agent.records.some(({ msg }) => msg === 'release ended');
  while (!hasEnded() && performance.now() - since < limit) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const took = performance.now() - since;
  await untilAtRest(printer);
  using register = openReleaseRegister({ stateDir: join(stage.folder, 'state') });
  const [release] = register.list(1);
  const { outcome, confirmation, problem } = release ?? {};
  const out = outputOf(printer);
  return {
    ...out,
    said:
      outcome === undefined ? 'still at it' : [outcome, confirmation ?? problem].filter(Boolean).join(', '),
    seconds: inSeconds(took),
    isFalse: (outcome === 'completed' && !out.isWhole) || (outcome === 'failed' && out.came !== nothing),
  };
}

async function byBackend(scene: Scene): Promise<Told> {
  await using printer = await printerWith(scene);
  let out = outputOf(printer);
  const atLimit = () => {
    out = outputOf(printer);
  };
  const document = { title, bytes: samplePdf({ title: 'Plan', pages }) };
  const run = await runBackend(printer.uri, document, { limit, atLimit });
  if (run.verdict !== undefined) {
    await untilAtRest(printer);
    out = outputOf(printer);
  }
  return {
    ...out,
    said: [run.verdict ?? 'still at it', run.lastWord].filter(Boolean).join('; '),
    seconds: inSeconds(run.milliseconds),
    isFalse: run.verdict === 'OK' && !out.isWhole,
  };
}

/** Pages may still come out when all is said, even of a job that has ended. */
async function untilAtRest({ jobs, outputs, waitFor }: VirtualPrinter): Promise<void> {
  const isAtRest = () => outputs.length > 0 && jobs.every(({ completedAt }) => completedAt !== undefined);
  await waitFor(isAtRest, { timeout: seconds(4) }).catch(() => {
    // What has not come out by now is not waited for: the record says what there is.
  });
}

const nothing = 'nothing';

function outputOf({ outputs, jobs }: VirtualPrinter) {
  const isWhole = outputs.length === 1 && outputs[0]?.impressions === pages && outputs[0].complete;
  // What is recorded when a job is over lies in the tray before.
  const printing = jobs.filter(
    ({ id, takes }) => takes === undefined && !outputs.some(({ jobId }) => jobId === id),
  );
  const counts = [
    ...outputs.map(({ impressions }) => impressions),
    ...printing.map((job) => job.impressionsCompleted),
  ];
  const out = counts.filter((count) => count > 0);
  const came = isWhole ? 'all, once' : out.length === 0 ? nothing : `${out.join(' + ')} of ${pages} pages`;
  return { isWhole, came, cameTwice: out.length > 1 };
}

const inSeconds = (span: number): string => (span / 1000).toFixed(1);
