/** One whole release, said aloud: whether the pages came out once and unchanged, and the service was told. */
import { createHash } from 'node:crypto';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { aborted } from '../../core/service.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import type { DemoStage } from './stage.ts';

/** The whole walk takes about two seconds; nobody waits longer than this for it. */
const walkLimit = seconds(30);

/** DocumentInfo.status of the spec. */
const deleted = 2;

export async function walkOnce(
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

  await step(narrator.told('terminal ready'));
  await step(narrator.told('reader up'));
  say(`${alice.fullName} holds her card to the reader; ${waiting.length} documents wait for her.`);
  reader.tap(alice.cards[0]);
  await step(narrator.told('session closed', ({ reason }) => reason === 'released'));
  await step(cloud.waitFor(() => cloud.state.history.length >= waiting.length, { timeout: walkLimit }));
  await step(narrator.told('status reported'));
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
