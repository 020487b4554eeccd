/** Whether a document may be released now, by what this agent did with it before and has in hand (I1). */
import type { Ledger } from '../domain/ports/ledger.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { FinishMode, Standing, Ticket } from '../domain/release.ts';
import { standingOf } from '../domain/release.ts';

/** The documents that any terminal of this agent has in hand: none is released twice at the same moment. */
export type DocumentsInHand = Set<string>;

/**
 * The documents that the agent had in hand at two crashes: they are not released for a while (INVARIANTS.md E.2).
 * About those of a third one not even their printer is asked, for that may be what it crashed by.
 */
export type DocumentsSetAside = ReadonlyMap<string, WayAside>;
export type WayAside = 'asked-about' | 'not-asked-about';

export interface Standings {
  of(documentUuid: string): Standing;
  /** Why the ticket is not released; `undefined` where nothing is in the way. */
  obstacle(ticket: Ticket): Problem | undefined;
}

export function createStandings(known: {
  readonly ledger: Pick<Ledger, 'lastRelease'>;
  readonly finish: FinishMode;
  readonly inHand: DocumentsInHand;
  readonly setAside: DocumentsSetAside;
}): Standings {
  const { ledger, finish, inHand, setAside } = known;

  function of(uuid: string): Standing {
    if (inHand.has(uuid)) return 'in-progress';
    const standing = standingOf(ledger.lastRelease(uuid), finish);
    return standing === 'releasable' && setAside.has(uuid) ? 'set-aside' : standing;
  }

  /**
   * The list that the person chose from is older than what another terminal may have done since; of that the person was
   * told nothing.
   */
  function isAsListed({ document: { uuid }, again, isAgainElsewhere }: Ticket): boolean {
    if (again === undefined) return of(uuid) === 'releasable';
    // Whether that release is the last one of the fleet its claim tells.
    if (isAgainElsewhere) return of(uuid) !== 'in-progress';
    return of(uuid) === 'may-have-printed' && ledger.lastRelease(uuid)?.releaseId === again;
  }

  return {
    of,
    obstacle(ticket) {
      if (setAside.has(ticket.document.uuid)) return leftAside();
      return isAsListed(ticket) ? undefined : taken();
    },
  };
}

const taken = () => new Problem('document-taken', 'the document was released since it was listed');

const leftAside = () =>
  new Problem('document-set-aside', 'the agent crashed twice while it had this document in hand');
