/**
 * Steps 5 and 6 up to the first byte, as one function: the intent, the job, the claim once more, the job's record. The
 * durable intent is the border of D1: from here on no stop gives the release up, no call is made twice, and the document
 * goes out once (I1). What a fault leaves behind is in `faults.ts`.
 */
import { announce, claimToKeep } from './claim-steps.ts';
import { isPrintedHere } from './context.ts';
import { faultDuring, isJobNext } from './faults.ts';
import { recordFetched } from './getting-ready.ts';
import type { Step } from './step.ts';
import { Course, hearing, jobOf, jobPrinter, now, planOf } from './step.ts';

export const commit: Step = async (begun, signal) => {
  const it = new Course(begun, signal);
  try {
    if (!isPrintedHere(begun)) {
      // Where the service's output was not ready before, the intent is there already.
      if (begun.deliveredBy !== 'service') it.learn(await recordServiceIntent(it.known, signal));
      it.learn(await announce(it.known, signal));
      return it.learned;
    }
    it.learn(await recordIntent(it.known, signal));
    if (isJobNext(begun)) it.learn(await createJob(it.known, signal));
    it.learn(await announce(it.known, signal));
    if (isJobNext(begun)) it.learn(await recordJob(it.known, signal));
    return it.learned;
  } catch (error) {
    return { ...it.learned, ...faultDuring('committing', it.known, error) };
  }
};

/** Durable before the first byte; where a job is made first, together with it: until then the job is empty. */
const recordIntent: Step = async (known) => {
  const { ledger } = known.world;
  const unrecorded = recordFetched(known);
  const { uri } = known.world.printer();
  const { inOneStep } = planOf(known);
  ledger.intend(known.releaseId, uri, {
    ...(inOneStep ? { inOneStep } : { isJobNext: isJobNext(known) }),
    ...claimToKeep(known),
  });
  if (!isJobNext(known)) await ledger.durable();
  return { unrecorded, intendedAt: now(known) };
};

/** Before the service is asked. */
const recordServiceIntent: Step = async (known) => {
  const { ledger, portKey } = known.world;
  ledger.intendByService(known.releaseId, portKey().serialNumber, claimToKeep(known).claim);
  await ledger.durable();
  return { deliveredBy: 'service' };
};

/** The printer gives the job an id; no byte of the document has gone out. */
const createJob: Step = async (known, signal) => {
  const { onWait, onLeftOut } = hearing(known);
  return { job: await jobPrinter(known).createJob(planOf(known), { signal, onWait, onLeftOut }) };
};

/** So that a restart can ask the printer by its id. */
export const recordJob: Step = async (known) => {
  const { ledger } = known.world;
  ledger.jobCreated(known.releaseId, jobOf(known));
  await ledger.durable();
  return {};
};
