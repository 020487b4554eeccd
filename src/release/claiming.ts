/**
 * The claim of a release. It is taken before the intent, and asked for again before the first byte may go out. It is
 * also checked before a release that a restart found open is handled (F5, F6). A gateway without a fleet answers for
 * itself at once (`createEmbeddedClaims`).
 */
import { required } from '../core/required.ts';
import type { Claim, Claims, Will } from '../domain/ports/claims.ts';
import type { Ledger } from '../domain/ports/ledger.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';
import { jobName, standingOf } from '../domain/release.ts';
import type { Known } from './context.ts';
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
    if (!signal.aborted) logClaimRefused(known, error);
    throw error;
  }
};

function logClaimRefused(known: Known, error: unknown): void {
  if (!isProblem(error, 'document-claimed', 'claim-lost', 'fleet-forgot')) return;
  const { code, place } = error;
  const { log, terminal, releaseId } = known;
  const facts = { terminal, releaseId, documentUuid: documentUuidOf(known), code };
  log.warn('claim refused', { ...facts, ...(place === undefined ? {} : { place }) });
}

const isOfAnEngine = ({ number }: Claim): boolean => number > 0;

/** A claim that is known only to this gateway is not kept in the ledger. */
export const claimToKeep = ({ claim: held }: Known) => (held && isOfAnEngine(held) ? { claim: held } : {});

function willOf(known: Known): Will {
  const { document, plan, world, history } = known;
  const expected = expectedOf(known);
  return {
    documentUuid: documentUuidOf(known),
    serialNumber: world.portKey().serialNumber,
    jobName: plan?.jobName ?? jobName(ticketOf(known).document.name, known.releaseId),
    // There is no document here if the service prints it.
    printerUri: document === undefined ? undefined : world.printer().uri,
    inOneStep: plan?.inOneStep === true,
    documentPages: expected && expected.pages * expected.copies,
    history: required(history, 'history record'),
  };
}

/** No byte has gone out before this step. After it, bytes may go out. */
export const announce: Step = async (known, signal) => {
  const { onWait } = hearing(known);
  const { world, job } = known;
  try {
    await world.claims.sending(required(known.claim, 'claim'), job, { signal, onWait });
  } catch (error) {
    if (!signal.aborted) logClaimRefused(known, error);
    throw error;
  }
  return {};
};

export const askForClaim: Step = async ({ world, claim: held }, signal) => {
  const isOurs = held === undefined || (await world.claims.isOurs(held, { signal }));
  return isOurs ? {} : { isLeftToSuccessor: true };
};

/** The claims of a gateway without a fleet. They come from its releases in hand, and from its ledger of earlier releases. */
export function createEmbeddedClaims({ ledger }: { readonly ledger: Pick<Ledger, 'lastRelease'> }): Claims {
  /** Document to the release that has it in hand. */
  const inHand = new Map<string, string>();
  const keyOf = (documentUuid: string): string => documentUuid.toLowerCase();

  return {
    async take({ documentUuid, releaseId, again, finish }): Promise<Claim> {
      const holder = inHand.get(keyOf(documentUuid));
      const last = ledger.lastRelease(documentUuid, { but: releaseId });
      const standing = standingOf(last, finish);
      const isFree =
        standing === 'releasable' || (standing === 'may-have-printed' && last?.releaseId === again);
      if (holder !== releaseId && (holder !== undefined || !isFree)) {
        throw new Problem('document-claimed', 'another release of this gateway has the document, or had it');
      }
      inHand.set(keyOf(documentUuid), releaseId);
      return { documentUuid, releaseId, number: 0, version: 0 };
    },
    async sending({ documentUuid, releaseId }) {
      if (inHand.get(keyOf(documentUuid)) !== releaseId) {
        throw new Problem('claim-lost', 'the release has ended', { delivery: 'not-sent' });
      }
    },
    ended({ documentUuid, releaseId }) {
      if (inHand.get(keyOf(documentUuid)) === releaseId) inHand.delete(keyOf(documentUuid));
    },
    isOurs: async () => true,
    elsewhere: async () => new Map(),
    found() {},
  };
}
