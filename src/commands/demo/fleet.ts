/**
 * `platen demo --fleet`: two gateways share one printer, and one of them is killed while it prints. The demo tells each
 * step. At the end it tells what happened to each document, from the records of the printer and of the service.
 */
import { systemClock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { minutes, seconds } from '../../core/duration.ts';
import { aborted } from '../../core/service.ts';
import { documentStatus } from '../../simulator/cloud/state.ts';
import { findPostgres } from '../../simulator/private-postgres.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { table } from '../terminal-text/table.ts';
import { faultsOf, outcomeRows, outcomesOf } from './fleet-outcome.ts';
import type { FleetStage } from './fleet-stage.ts';
import { setFleetStage } from './fleet-stage.ts';

/** All of it takes about three quarters of a minute. */
const storyLimit = minutes(4);
const patient = { timeout: storyLimit };

export async function showFleet(io: Io, find = findPostgres): Promise<number> {
  const postgres = find();
  if (postgres === undefined) {
    throw new CommandFailed('the demo of a fleet needs PostgreSQL 15 or later: apt-get install postgresql');
  }
  const limit = systemClock.deadline(storyLimit, io.stop);
  await using stage = await setFleetStage(postgres, io);
  const { cloud, printer, a, b, say } = stage;
  await Promise.race([
    tell(stage),
    aborted(limit).then(() => {
      throw new CommandFailed(io.stop.aborted ? 'The demo was stopped.' : 'The demo took too long.');
    }),
  ]);

  const outcomes = outcomesOf(cloud, printer.outputs, [a, b]);
  io.out(`\n${table(outcomeRows(outcomes))}\n`);
  const faults = [...faultsOf(outcomes), ...[...cloud.deviations, ...printer.deviations].map(asDeviation)];
  for (const fault of faults) io.error(`platen: ${fault}`);
  if (faults.length > 0) return exitCode.failed;
  say('Every document came out at most once, and nothing is lost.');
  say(`Look at the pages: ${stage.printed}`);
  return exitCode.ok;
}

const asDeviation = (sentence: string): string => `A program broke the protocol: ${sentence}.`;

async function tell(stage: FleetStage): Promise<void> {
  await startBoth(stage);
  await killInMidJob(stage);
  await comeUntilAllIsSettled(stage);
  await comeBack(stage);
}

async function startBoth({ reader, a, b, say }: FleetStage): Promise<void> {
  const ready = [a.log.next('terminal ready'), a.log.next('reader up')];
  await a.start();
  await Promise.all(ready);
  await b.start();
  await b.screen().waitFor(() => b.screen().sight()?.sentence.includes(a.name) ?? false, patient);
  say(`Both gateways are set up for the terminal Entrance; ${a.name} serves it.`);
  say('Alice Archer holds her card to the reader; three documents wait for her.');
  reader.tap(card);
}

async function killInMidJob({ cloud, printer, a, b, say }: FleetStage): Promise<void> {
  const inMidJob = () => printer.jobs.find((job) => isInItsMiddle(job.document?.pages, job));
  await printer.waitFor(() => inMidJob() !== undefined, patient);
  const { name = '', impressionsCompleted = 0, document } = inMidJob() ?? {};
  say(`The screen of ${b.name} reads meanwhile: ${b.screen().sight()?.sentence}`);
  say(
    `${a.name} is killed, as by a power failure, when ${impressionsCompleted} of ${document?.pages} pages of “${name}” are out.`,
  );
  const since = systemClock.monotonic();
  const takenOver = [b.log.next('terminal taken over'), b.log.next('reader up')];
  // A killed gateway may have used a refresh token without storing the new one. That is no fault.
  cloud.forgiveReuse();
  await a.kill();
  await Promise.all(takenOver);
  const took = ((systemClock.monotonic() - since) / 1000).toFixed(1);
  say(`${took} s after that ${b.name} serves the terminal.`);
}

const isInItsMiddle = (
  pages: number | undefined,
  job: { readonly state: string; readonly impressionsCompleted: number },
): boolean =>
  pages !== undefined &&
  job.state === 'processing' &&
  job.impressionsCompleted > 0 &&
  job.impressionsCompleted < pages - 1;

const card = '04A1B2C3D4';
const otherCard = '04B5C6D7E8';
/**
 * The third visit comes after the killed gateway counts as gone, and after the other one has beaten long enough to
 * settle its documents.
 */
const mostVisits = 5;
const pause = seconds(8);
const aMoment = seconds(2);

/** Alice holds her card to the reader until no document waits for her. */
async function comeUntilAllIsSettled({ cloud, reader, b, say }: FleetStage): Promise<void> {
  const waiting = () => cloud.state.documents.filter(({ info }) => info.status === documentStatus.READY);
  const atMost = (timeout: Duration) =>
    cloud.waitFor(() => waiting().length === 0, { timeout }).catch(() => undefined);
  for (let visit = 1; visit <= mostVisits && waiting().length > 0; visit += 1) {
    say(
      `Alice holds her card to the reader${visit === 1 ? '' : ' again'}; ${counted(waiting().length)} in the service's list.`,
    );
    let isOver = false;
    const closed = b.log.next('session closed').then(() => void (isOver = true));
    const isRecorded = b.log.next('history accepted');
    reader.tap(card);
    await Promise.race([closed, isRecorded, atMost(seconds(30))]);
    await atMost(pause);
    if (isOver || waiting().length === 0) continue;
    say('Bob Baker holds his card to the reader, which ends her visit; nothing waits for him.');
    reader.tap(otherCard);
    await closed;
    await atMost(aMoment);
  }
}

const counted = (documents: number): string =>
  documents === 1 ? 'one document is' : `${documents} documents are`;

/** The gateway settles its own unfinished documents if no other gateway has done so. */
async function comeBack({ cloud, printer, a, b, say }: FleetStage): Promise<void> {
  say(`${a.name} has power again.`);
  const found = a.log.next('engine found');
  await a.start();
  await found;
  const isAllRecorded = () => faultsOf(outcomesOf(cloud, printer.outputs, [a, b])).length === 0;
  await cloud.waitFor(isAllRecorded, { timeout: seconds(20) }).catch(() => undefined);
  // Long enough for a second print, which must not happen.
  await systemClock.sleep(seconds(3));
}
