/**
 * The steps of a release that the service prints: it is asked to, and its list tells what became of that. Where they
 * come is in `delivery.ts`.
 */
import { judgeDelivery } from '../domain/release.ts';
import { claimToKeep } from './claim-steps.ts';
import type { Step } from './step.ts';
import { now, ticketOf } from './step.ts';

export const recordServiceIntent: Step = async (known) => {
  const { ledger, portKey } = known.world;
  ledger.intendByService(known.releaseId, portKey().serialNumber, claimToKeep(known).claim);
  await ledger.durable();
  return { deliveredBy: 'service' };
};

export const deliver: Step = async (known, signal) => {
  const { document, changed, token } = ticketOf(known);
  const { documents, portKey, finish } = known.world;
  const { serialNumber, address } = portKey();
  const to = { port: address ?? serialNumber, retain: finish === 'keep', changed };
  await known.trace.measured('delivery', () => documents.deliver(document.uuid, to, token, { signal }));
  return { problem: undefined, outAt: now(known) };
};

/** Gives the verdict, or `undefined` while the document is on its way. */
export const lookAtDelivery: Step = async (known, signal) => {
  const { document, token } = ticketOf(known);
  return {
    verdict: judgeDelivery(await known.world.documents.statusOf(document.uuid, token, { signal })),
  };
};

export const recordRefusal: Step = async ({ world, releaseId }) => {
  world.ledger.refusedByService(releaseId);
  return { deliveredBy: 'printer', problem: undefined };
};
