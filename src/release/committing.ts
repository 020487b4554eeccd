/**
 * Steps 5 and 6 up to the first byte, as one function: the intent, the job, the claim once more, the job's record. D1
 * draws its line at the durable intent. After it a stop no longer gives the release up, no call is made twice, and the
 * document goes out once (I1). `faults.ts` has the consequences of a fault.
 */
import { announce, claimToKeep } from './claiming.ts';
import { isPrintedHere } from './context.ts';
import { faultDuring, isJobNext } from './faults.ts';
import { recordFetched } from './download.ts';
import type { Step } from './step.ts';
import { Course, hearing, jobOf, jobPrinter, now, planOf } from './step.ts';

export const commit: Step = async (begun, signal) => {
  const it = new Course(begun, signal);
  try {
    if (!isPrintedHere(begun)) {
      // If the service's output was not ready before, the intent is recorded already.
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

/**
 * The intent is durable before the first byte. If a job is created first, the intent becomes durable with the job's
 * record; the job is empty until then.
 */
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

const recordServiceIntent: Step = async (known) => {
  const { ledger, portKey } = known.world;
  ledger.intendByService(known.releaseId, portKey().serialNumber, claimToKeep(known).claim);
  await ledger.durable();
  return { deliveredBy: 'service' };
};

/** No byte of the document has gone out at this point. */
const createJob: Step = async (known, signal) => {
  const { onWait, onLeftOut } = hearing(known);
  return { job: await jobPrinter(known).createJob(planOf(known), { signal, onWait, onLeftOut }) };
};

/** After a restart the agent can then ask the printer about the job by its id. */
export const recordJob: Step = async (known) => {
  const { ledger } = known.world;
  ledger.jobCreated(known.releaseId, jobOf(known));
  await ledger.durable();
  return {};
};
