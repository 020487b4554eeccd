/**
 * The part of a release that the service carries out at its own output port. It is a way to print like any other: the
 * intent is durable before the service is asked, and an answer that was lost is never asked for again
 * (I1; src/cloud/README.md 12, rows 17 to 19). What follows a refusal is in `machine.ts`.
 */
import { seconds } from '../core/duration.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import { judgeDelivery } from '../domain/release.ts';
import { asReleaseProblem, unknownBecause } from './problems.ts';
import type { Step } from './step.ts';
import { now, ticketOf } from './step.ts';

/** Between two looks at what the service delivers. */
const betweenLooks = { first: seconds(1), factor: 2, longest: seconds(5) };

export const deliver: Step = async (known, signal) => {
  const { document, changed, token } = ticketOf(known);
  const { documents, portKey, finish } = known.world;
  const { serialNumber, address } = portKey();
  const to = { port: address ?? serialNumber, retain: finish === 'keep', changed };
  await known.trace.measured('delivery', () => documents.deliver(document.uuid, to, token, { signal }));
  return { problem: undefined, outAt: now(known) };
};

/** The service took the document on; its list tells when it has left. */
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
