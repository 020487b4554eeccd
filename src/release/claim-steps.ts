/** The steps that concern the claim; where they come is in `claim-states.ts`. */
import { required } from '../core/required.ts';
import type { Claim, Will } from '../domain/ports/claims.ts';
import { jobName } from '../domain/release.ts';
import type { ReleaseContext } from './context.ts';
import { documentUuidOf, expectedOf } from './context.ts';
import type { Step } from './step.ts';
import { hearing, now, ticketOf } from './step.ts';

export const claim: Step = async (known, signal) => {
  const { document, releaseId, terminal, again } = ticketOf(known);
  const { claims, finish, place } = known.world;
  const wish = {
    documentUuid: document.uuid,
    releaseId,
    terminal,
    place: place(),
    finish,
    will: willOf(known),
    ...(again === undefined ? {} : { again }),
  };
  const { onWait } = hearing(known);
  const since = now(known);
  const asked = () => known.trace.ended('claim', since);
  try {
    const held = await claims.take(wish, { signal, onWait });
    if (isOfAnEngine(held)) asked();
    return { claim: held };
  } catch (error) {
    if (now(known) > since) asked();
    throw error;
  }
};

const isOfAnEngine = ({ number }: Claim): boolean => number > 0;

/** In the books; one that nobody else hears of is not kept. */
export const claimToKeep = ({ claim: held }: ReleaseContext) =>
  held && isOfAnEngine(held) ? { claim: held } : {};

function willOf(known: ReleaseContext): Will {
  const { document, plan, world, history } = known;
  const expected = expectedOf(known);
  return {
    documentUuid: documentUuidOf(known),
    serialNumber: world.portKey().serialNumber,
    jobName: plan?.jobName ?? jobName(ticketOf(known).document.name, known.releaseId),
    // What the service prints has no document here.
    printerUri: document === undefined ? undefined : world.printer().uri,
    inOneStep: plan?.inOneStep === true,
    documentPages: expected && expected.pages * expected.copies,
    history: required(history, 'history record'),
  };
}

/** Nothing has gone out yet, and from here on it may. */
export const announce: Step = async (known, signal) => {
  const { onWait } = hearing(known);
  const { world, job } = known;
  await world.claims.sending(required(known.claim, 'claim'), job, { signal, onWait });
  return {};
};

export const askForClaim: Step = async ({ world, claim: held }, signal) => {
  const isOurs = held === undefined || (await world.claims.isOurs(held, { signal }));
  return isOurs ? {} : { isLeftToSuccessor: true };
};
