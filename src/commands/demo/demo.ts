/**
 * `platen demo [--once | --tour | --fleet]`: everything is embedded. It takes badges typed on the keyboard. With
 * `--once` it does one whole release and checks the result. With `--tour` it shows other events at a terminal. With
 * `--fleet` it shows one gateway when another one is killed.
 */
import { createHash } from 'node:crypto';
import { aborted } from '../../core/service.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { onTypedLine } from '../terminal-text/typed-lines.ts';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { showFleet } from './fleet.ts';
import type { DemoStage } from './stage.ts';
import { setDemoStage } from './stage.ts';
import { showTour } from './tour.ts';

export interface DemoWishes {
  readonly once?: boolean;
  readonly tour?: boolean;
  readonly fleet?: boolean;
  /** With `tour`: seconds for each step. */
  readonly pace: number;
  readonly listen?: string;
}

const usualPage = '127.0.0.1:7380';

export async function demoCommand({ once, tour, fleet, pace, listen }: DemoWishes, io: Io): Promise<number> {
  if (tour) return showTour({ listen: listen ?? usualPage, pace }, io);
  if (fleet) return showFleet(io);
  if (once) {
    // This page is not looked at, so it must not use the usual port of a daemon.
    const stage = { listen: listen ?? '127.0.0.1:0', terminal: { session: { autoRelease: true } } };
    await using demo = await setDemoStage(stage, io);
    return await Promise.race([walkOnce(demo, io), demo.running.then(() => exitCode.failed)]);
  }
  const terminal = { session: { autoRelease: false } };
  await using demo = await setDemoStage({ listen: listen ?? usualPage, terminal }, io);
  await Promise.race([stayUp(demo, io), demo.running]);
  return exitCode.ok;
}

async function stayUp(stage: DemoStage, io: Io): Promise<void> {
  const { cloud, reader, narrator, say, configFile } = stage;
  await Promise.race([narrator.recordOf('terminal ready'), aborted(io.stop)]);
  for (const { fullName, cards } of cloud.state.users) say(`The card of ${fullName}: ${cards.join(', ')}`);
  say(`The configuration: ${configFile}`);
  const { address, file } = await stage.launchAddress();
  say(`The page for choosing documents: ${address}`);
  say(`This address works once. The secret of the next address is in ${file}`);
  say(
    'Type a card number and press Enter to hold that card to the reader. Do it again to print. Press Ctrl-C to end.',
  );
  onTypedLine((line) => reader.tap(line), io.stop);
  await aborted(io.stop);
}

/** All steps together take about two seconds. After this time the demo has failed. */
const walkLimit = seconds(30);

/** DocumentInfo.status of the spec. */
const deleted = 2;

/**
 * One whole release, told line by line. Did the pages come out once and unchanged, and did the service get its record?
 */
async function walkOnce(
  { cloud, printer, reader, narrator, say, printed }: DemoStage,
  io: Io,
): Promise<number> {
  const limit = systemClock.deadline(walkLimit, io.stop);
  const step = <Result>(result: Promise<Result>): Promise<Result> =>
    Promise.race([
      result,
      aborted(limit).then(() =>
        Promise.reject(new Error(io.stop.aborted ? 'the demo was stopped' : 'the demo took too long')),
      ),
    ]);

  const [alice] = cloud.state.users;
  const waiting = cloud.state.documents.filter(({ owner }) => owner === alice?.userName);
  if (!alice?.cards[0] || waiting.length === 0)
    throw new Error('the sample data has no card with a document');

  await step(narrator.recordOf('terminal ready'));
  await step(narrator.recordOf('reader up'));
  say(`${alice.fullName} holds her card to the reader; ${waiting.length} documents wait for her.`);
  reader.tap(alice.cards[0]);
  await step(narrator.recordOf('session closed', ({ reason }) => reason === 'released'));
  await step(cloud.waitFor(() => cloud.state.history.length >= waiting.length, { timeout: walkLimit }));
  await step(narrator.recordOf('status reported'));
  await step(
    cloud.waitFor(() => waiting.every(({ info }) => info.status === deleted), { timeout: walkLimit }),
  );

  const unchanged = waiting.every(({ bytes }) => {
    const digest = createHash('sha256').update(bytes).digest('hex');
    return printer.outputs.filter((output) => output.complete && output.sha256 === digest).length === 1;
  });
  const deviations = [...cloud.deviations, ...printer.deviations];
  for (const deviation of deviations) say(`deviation: ${deviation}`);
  if (!unchanged || deviations.length > 0) {
    io.error(
      'platen: the demo failed. The printed documents differ from the sent documents, or a program broke the protocol',
    );
    return exitCode.failed;
  }
  say('Every document came out once and unchanged, is recorded, and is deleted in the service.');
  say(`Look at the pages: ${printed}`);
  return exitCode.ok;
}
