/**
 * The documents of a session, by what may happen to them, and the ticket that hands a document to the desk. The file
 * also finishes printed documents in the cloud while their owner is logged in (contract, section 3).
 */
import type { Log } from '../core/log.ts';
import type { Env } from '../domain/env.ts';
import type { Document } from '../domain/document.ts';
import { isBeyondLimits } from '../domain/document.ts';
import type { PageRange, PickedPages } from '../domain/page-range.ts';
import type { Claims, HeldElsewhere } from '../domain/ports/claims.ts';
import type { FoundRelease, Ledger, ReleaseRegister } from '../domain/ports/ledger.ts';
import type { Documents, ReadyDocuments } from '../domain/ports/service.ts';
import { Problem } from '../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../domain/problem/service-failure.ts';
import type { TraceSoFar } from '../domain/release-trace.ts';
import { forgottenRelease, outcomeOf } from '../domain/release.ts';
import type { EndState, FinishMode, LastRelease, OpenState, Standing, Ticket } from '../domain/release.ts';
import type { Login } from '../domain/user.ts';
import { finishDocument } from '../release/ending.ts';
import type { PrinterAtHand } from './printers/at-hand.ts';
import type { Changes, Choice, Doubtful, LeftAlone, Session, Sorted, Wish, Wishes } from './given.ts';

export interface SessionDocumentsDeps {
  readonly documents: Documents;
  readonly finish: FinishMode;
  readonly ledger: Ledger;
  readonly claims: Pick<Claims, 'found'>;
  readonly releases: Pick<ReleaseRegister, 'find'>;
  readonly log: Log;
  /** Aborts when deletions are no longer waited for. */
  readonly stopped: AbortSignal;
  standing(documentUuid: string): Standing;
}

export class SessionDocuments {
  readonly #deps: SessionDocumentsDeps;

  constructor(deps: SessionDocumentsDeps) {
    this.#deps = deps;
  }

  /**
   * `elsewhere` is what other members of the fleet have of the documents. Their word counts most, except for documents
   * in hand here.
   */
  sort(
    { documents, mayBeMore, underOtherName }: ReadyDocuments,
    elsewhere: ReadonlyMap<string, HeldElsewhere>,
  ): Sorted {
    const held = documents.flatMap((document) => this.#heldElsewhere(document, elsewhere.get(document.uuid)));
    const isHeld = new Set(held.map(({ document }) => document.uuid));
    const standings = documents
      .filter(({ uuid }) => !isHeld.has(uuid))
      .map((document) => ({ document, standing: this.#deps.standing(document.uuid) }));
    const those = (wanted: Standing) =>
      standings.flatMap(({ document, standing }) => (standing === wanted ? [document] : []));
    return {
      releasable: those('releasable').filter((document) => obstacleOf(document) === undefined),
      doubtful: inTheOrderOf(documents, [
        ...those('may-have-printed').flatMap((document) => this.#doubtful(document)),
        ...held.flatMap(doubtfulElsewhere),
      ]),
      others: inTheOrderOf(documents, [
        ...held.flatMap(leftAloneElsewhere),
        ...standings.flatMap(({ document, standing }) => {
          const why = standing === 'releasable' ? obstacleOf(document) : whyLeftAlone[standing];
          return why === undefined ? [] : [{ document, why }];
        }),
      ]),
      mayBeMore,
      underOtherName,
    };
  }

  /** Begins the owed deletions, also those of other members of the fleet. */
  settle({ documents }: ReadyDocuments, login: Login, elsewhere: ReadonlyMap<string, HeldElsewhere>): void {
    const { ledger, standing } = this.#deps;
    for (const document of documents) {
      for (const { held } of this.#heldElsewhere(document, elsewhere.get(document.uuid))) {
        const { releaseId, deletionOwed } = held;
        if (deletionOwed) void this.#finish(document, login, { releaseId, deletionOwed: false });
      }
      const isOwed = standing(document.uuid) === 'deletion-owed';
      const last = isOwed ? ledger.lastRelease(document.uuid) : undefined;
      if (last?.deletionOwed) void this.#finish(document, login, last);
    }
  }

  /** The person found the pages of a document that may have been printed. */
  confirm({ login }: Session, { document, releaseId, elsewhere }: Doubtful): void {
    if (elsewhere) return this.#foundElsewhere(login, document, elsewhere);
    const { finish, ledger, log, standing } = this.#deps;
    const last = ledger.lastRelease(document.uuid);
    // Another terminal may be printing it once more now.
    if (last === undefined || standing(document.uuid) !== 'may-have-printed') return;
    try {
      if (isInDoubt(last.state)) ledger.confirmedByPerson(releaseId);
      log.info('release confirmed by a person', { releaseId });
      if (finish !== 'keep') void this.#finish(document, login, last);
    } catch (error) {
      // The document stays in doubt, and the next login asks about it.
      log.warn('confirmation refused', { releaseId, error: error as Error });
    }
  }

  /** Deletes documents that are not being printed. Rejects with the first refusal; the refused document stays. */
  async discard({ session, documents }: Choice): Promise<void> {
    const { log } = this.#deps;
    const { id: sessionId, login } = session;
    try {
      await Promise.all(documents.map((document) => this.#remove(document, login)));
      log.info('documents deleted', { sessionId, documents: documents.length });
    } catch (error) {
      const problem = serviceFailure(error);
      logFailure(log, 'deletion refused', problem, { sessionId });
      throw problem;
    }
  }

  /**
   * This says nothing about releases of this ledger. The member that released the document hears of it by the claim.
   */
  #foundElsewhere(login: Login, document: Document, held: HeldElsewhere): void {
    const { finish, claims, log } = this.#deps;
    claims.found(document.uuid, held);
    log.info('release confirmed by a person', { releaseId: held.releaseId });
    if (finish === 'keep') return;
    void this.#finish(document, login, { releaseId: held.releaseId, deletionOwed: false });
  }

  #heldElsewhere(document: Document, held: HeldElsewhere | undefined): readonly Held[] {
    const { finish, standing } = this.#deps;
    // With `keep`, a document may be printed as often as people want.
    if (held === undefined || (held.how === 'printed' && finish === 'keep')) return [];
    const here = standing(document.uuid);
    // If no member has a claim on the document, this ledger may know more than an engine that has forgotten (F9).
    const isKnownHere = held.releaseId === forgottenRelease && here !== 'releasable';
    const isOurs = here === 'in-progress' || here === 'set-aside' || isKnownHere;
    return isOurs ? [] : [{ document, held }];
  }

  #doubtful(document: Document): readonly Doubtful[] {
    const { ledger, releases } = this.#deps;
    const releaseId = ledger.lastRelease(document.uuid)?.releaseId;
    if (releaseId === undefined) return [];
    const found = releases.find(releaseId);
    const missing = missingIn(found, document);
    return [{ document, releaseId, at: printingSince(found), ...(missing ? { missing } : {}) }];
  }

  async #finish(
    { uuid }: Document,
    { token }: Login,
    last: Pick<LastRelease, 'releaseId' | 'deletionOwed'>,
  ): Promise<void> {
    const { ledger, log, stopped } = this.#deps;
    const { releaseId } = last;
    try {
      await ledger.durable();
      await finishDocument(this.#deps, uuid, token, { signal: stopped });
      if (last.deletionOwed) ledger.deleted(releaseId);
      log.info('owed deletion made', { releaseId });
    } catch (error) {
      log.warn('owed deletion refused again', { releaseId, error: error as Error });
    }
  }

  async #remove({ uuid }: Document, { token }: Login): Promise<void> {
    const { documents, standing, stopped } = this.#deps;
    // Another terminal may have the document now.
    if (standing(uuid) !== 'releasable') throw new Problem('document-taken', 'it is being released');
    await documents.remove(uuid, token, { signal: stopped });
  }
}

interface Handing extends Pick<Ticket, 'terminal'>, Pick<Env, 'chance' | 'log'> {
  readonly printer: Pick<PrinterAtHand, 'name' | 'monochrome' | 'sendUsername'>;
  readonly trace: TraceSoFar;
}

/** The tickets for the desk. The document in each wish already has its changes. */
export const ticketsFor = (
  { session, wishes }: Wishes,
  { changes }: { readonly changes: Changes },
  world: Handing,
): readonly Ticket[] => wishes.map((wish) => ticketFor(session, wish, { ...world, changes }));

function ticketFor(
  { id: sessionId, login }: Session,
  { document, again, picked, isAgainElsewhere }: Wish,
  world: Handing & { readonly changes: Changes },
): Ticket {
  const { terminal, trace, chance, log } = world;
  const { name: printer, monochrome, sendUsername } = world.printer;
  const { id, providerId, userName } = login.user;
  const changed = world.changes.get(document.uuid);
  const releaseId = chance.uuid().replaceAll('-', '');
  if (again !== undefined) log.info('release repeated', { releaseId, again, ...pagesSaid(picked) });
  return {
    releaseId,
    terminal,
    sessionId,
    document,
    monochrome,
    sendUsername,
    trace,
    user: { id, providerId, userName },
    token: login.token,
    ...(printer === undefined ? {} : { printer }),
    ...(changed === undefined ? {} : { changed }),
    ...(again === undefined ? {} : { again }),
    ...(picked && { picked }),
    ...(isAgainElsewhere && { isAgainElsewhere }),
  };
}

const pagesSaid = (picked: PickedPages | undefined) =>
  picked ? { pages: `${picked.from}-${picked.to}` } : {};

/** A document that another member of the fleet releases, or released. */
interface Held {
  readonly document: Document;
  readonly held: HeldElsewhere;
}

function leftAloneElsewhere({ document, held }: Held): readonly LeftAlone[] {
  const { how, place, deletionOwed } = held;
  const why = deletionOwed ? 'already-printed' : 'being-printed-elsewhere';
  const isLeftAlone = how === 'in-progress' || deletionOwed === true;
  return isLeftAlone ? [{ document, why, ...(place === undefined ? {} : { place }) }] : [];
}

const doubtfulElsewhere = ({ document, held }: Held): readonly Doubtful[] =>
  held.how === 'in-progress' || held.deletionOwed
    ? []
    : [{ document, releaseId: held.releaseId, at: held.at, elsewhere: held }];

function inTheOrderOf<One extends { readonly document: Document }>(
  documents: readonly Document[],
  some: readonly One[],
): readonly One[] {
  const places = new Map(documents.map(({ uuid }, place) => [uuid, place]));
  return some.toSorted(
    (one, other) => (places.get(one.document.uuid) ?? 0) - (places.get(other.document.uuid) ?? 0),
  );
}

/**
 * From the moment when the first byte may have gone out, pages may lie in the tray. Absent if the record of the release
 * is gone.
 */
const printingSince = (found: FoundRelease | undefined): string | undefined =>
  found?.events.find(({ state }) => state === 'INTENT' || state === 'SERVICE-INTENT')?.at ??
  found?.row.startedAt;

/** As recorded with the end of the release. Absent if the document has been replaced by another one. */
function missingIn(found: FoundRelease | undefined, { totalPages = 0 }: Document): PageRange | undefined {
  const told = found?.events.find(({ facts }) => facts['missing'] !== undefined)?.facts['missing'];
  const { from, to } = (told ?? {}) as Partial<PageRange>;
  return from !== undefined && to === totalPages && from > 1 && from <= to ? { from, to } : undefined;
}

const whyLeftAlone: Readonly<Record<Exclude<Standing, 'releasable'>, LeftAlone['why'] | undefined>> = {
  'in-progress': 'being-printed',
  'deletion-owed': 'already-printed',
  'set-aside': 'set-aside',
  // Undefined because the owner is asked.
  'may-have-printed': undefined,
};

/** The reason why a document without a release cannot be released. */
function obstacleOf(document: Document): LeftAlone['why'] | undefined {
  if (!document.storageOnline) return 'stored-elsewhere';
  return isBeyondLimits(document) ? 'too-long' : undefined;
}

const isInDoubt = (state: EndState | OpenState): boolean =>
  state in outcomeOf && outcomeOf[state as EndState] === 'unknown';
