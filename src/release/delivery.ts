/**
 * The part of a release that the service carries out at its own output port. The rules are those of every print: the
 * intent is durable before the service is asked, and if an answer was lost, the service is not asked again (I1;
 * src/cloud/README.md 12, rows 17 to 19). `machine.ts` says what follows a refusal.
 */
import { seconds } from '../core/duration.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import { judgeDelivery } from '../domain/release.ts';
import { asReleaseProblem, unknownBecause } from './problems.ts';
import type { Step } from './step.ts';
import { now, ticketOf } from './step.ts';

/** The pause between two looks at the service's list during a delivery. */
const betweenLooks = { first: seconds(1), factor: 2, longest: seconds(5) };

export const deliver: Step = async (known, signal) => {
  const { document, changed, token } = ticketOf(known);
  const { documents, portKey, finish } = known.world;
  const { serialNumber, address } = portKey();
  const to = { port: address ?? serialNumber, retain: finish === 'keep', changed };
  await known.trace.measured('delivery', () => documents.deliver(document.uuid, to, token, { signal }));
  return { problem: undefined, outAt: now(known) };
};

/** The service took the document on. Its list tells when the document has left. */
export const watchDelivery: Step = async (known, signal) => {
  const { document, token } = ticketOf(known);
  const { documents, clock, requireConfirmation } = known.world;
  for (let looks = 1; ; looks += 1) {
    try {
      const verdict = judgeDelivery(await documents.statusOf(document.uuid, token, { signal }));
      if (verdict === 'UNKNOWN') return unknownBecause('the service gave the document up');
      if (verdict === 'HANDED-OVER' && requireConfirmation)
        return unknownBecause('the document left, and the service did not say how');
      if (verdict !== undefined) return { verdict };
    } catch (error) {
      if (asReleaseProblem(error).retry !== 'later')
        return unknownBecause('the service no longer tells what became of the document', error);
    }
    await clock.sleep(waitBefore(looks, betweenLooks), { signal });
  }
};
