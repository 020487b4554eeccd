/**
 * Whether a document may be released now. That depends on earlier releases by this agent and on the documents in hand
 * (I1).
 */
import type { Ledger } from '../domain/ports/ledger.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { FinishMode, Standing, Ticket } from '../domain/release.ts';
import { standingOf } from '../domain/release.ts';
import type { OnTheWay } from './on-the-way.ts';

/**
 * The documents that the agent had in hand at two crashes. They are not released for a while (INVARIANTS.md E.2). After
 * a third crash the printer is not even asked about them, because the question may have caused the crash.
 */
export type DocumentsSetAside = ReadonlyMap<string, WayAside>;
export type WayAside = 'asked-about' | 'not-asked-about';

export interface Standings {
  of(documentUuid: string): Standing;
  /** Why the ticket is not released; `undefined` if it may be released. */
  obstacle(ticket: Ticket): Problem | undefined;
}

export function createStandings(known: {
  readonly ledger: Pick<Ledger, 'lastRelease'>;
  readonly finish: FinishMode;
  readonly onTheWay: Pick<OnTheWay, 'isInHand'>;
  readonly setAside: DocumentsSetAside;
}): Standings {
  const { ledger, finish, onTheWay, setAside } = known;

  function of(uuid: string): Standing {
    if (onTheWay.isInHand(uuid)) return 'in-progress';
    const standing = standingOf(ledger.lastRelease(uuid), finish);
    return standing === 'releasable' && setAside.has(uuid) ? 'set-aside' : standing;
  }

  /**
   * The list from which the person chose may be older than a release at another terminal. The person was not told of
   * that release.
   */
  function isAsListed({ document: { uuid }, again, isAgainElsewhere }: Ticket): boolean {
    if (again === undefined) return of(uuid) === 'releasable';
    // The claim tells whether that release is the last one of the fleet.
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
