/**
 * The claims of a fleet, which the engine gives: each document has one, at whichever gateway (F5 to F9). The ledger of
 * a member is the truth about the end of its claims. If the engine could not be told of an end, the member tells it
 * when the engine is back.
 */
import { minutes, seconds } from '../core/duration.ts';
import { restOrWake, Wake } from '../core/periodic.ts';
import type { Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import type {
  Claim,
  ClaimBooks,
  ClaimedRelease,
  ClaimOptions,
  Claims,
  ClaimWish,
  HeldElsewhere,
} from '../domain/ports/claims.ts';
import type { PrinterJob } from '../domain/ports/printing.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';
import type { EndState, OpenState } from '../domain/release.ts';
import { outcomeOf } from '../domain/release.ts';
import type { Held } from './claim-statements.ts';
import * as sql from './claim-statements.ts';
import { documentKey, heldOf } from './claim-statements.ts';
import type { Engine } from './engine/engine.ts';
import type { Ask } from './patience.ts';
import { askPatiently } from './patience.ts';
import type { Recollection } from './recollection.ts';
import { forgotChannel } from './recollection.ts';
import { sweepOldClaims } from './retention.ts';
import type { FleetSealing } from './fleet-sealing.ts';
import type { Solitude } from './solitude.ts';
import { aloneChannel } from './solitude.ts';

export interface FleetClaimsDeps extends Pick<Env, 'clock' | 'log'> {
  readonly engine: Engine;
  readonly member: string;
  readonly books: ClaimBooks;
  readonly recollection: Recollection;
  readonly solitude: Solitude;
  /** Claims by the ledger only. */
  readonly alone: Claims;
  readonly sealing: FleetSealing;
  /** A person wants these, and the members that have them in hand are gone (F8). */
  readonly onLeft: (documentUuids: readonly string[]) => void;
}

/** A person waits for the list, so claims elsewhere are added only if the engine answers soon. */
const listPatience = seconds(2);
const oneQuestion = seconds(5);
/** F9. */
const recollects = seconds(2);
/**
 * The pauses between two tries, between two looks in case a notice was lost, and between two looks whether a member has
 * reported or was retired.
 */
const retry = seconds(2);
const look = seconds(60);
const awaiting = seconds(5);
const lastWord = seconds(1);
/** Many ends, each with a slow answer. */
const longestRound = minutes(15);

const claimStates = { completed: 'printed', failed: 'free', unknown: 'unknown' } as const;

export class FleetClaims implements Claims {
  readonly #deps: FleetClaimsDeps;
  readonly #wake = new Wake();
  #isBehind = true;

  constructor(deps: FleetClaimsDeps) {
    this.#deps = deps;
  }

  readonly service: Service = {
    name: 'claims',
    run: async (signal, progress) => {
      const { engine, recollection } = this.#deps;
      using _up = engine.onState(({ is }) => is === 'up' && this.#catchUpSoon());
      using _forgot = engine.onNotice(forgotChannel, () => this.#catchUpSoon());
      using _claimed = engine.onNotice(sql.claimedChannel, (number) => recollection.saw(Number(number)));
      using _called = engine.onNotice(aloneChannel, () => this.#catchUpSoon());
      while (!signal.aborted) {
        progress?.(longestRound);
        if (engine.state().is === 'up') {
          await this.#catchUp(signal);
          await this.#sweep(signal);
        }
        await restOrWake(
          this.#isBehind ? retry : recollection.isAwaiting() ? awaiting : look,
          { clock: this.#deps.clock, wake: this.#wake },
          signal,
        );
      }
      // A release that ended in the last moment is still reported before this member is gone.
      if (engine.state().is === 'up') await this.#catchUp(this.#deps.clock.deadline(lastWord));
    },
  };

  async take(wish: ClaimWish, options: ClaimOptions): Promise<Claim> {
    const { documentUuid, releaseId } = wish;
    const { clock } = this.#deps;
    const since = clock.monotonic();
    try {
      return await askPatiently(this.#deps, options, async (ask) => {
        if (this.#goesAlone()) return this.#takeAlone(wish, options);
        const taken = sql.takenOf((await ask(sql.takeClaim, this.#wished(wish)))[0]);
        if (taken.is === 'unclear') return undefined;
        if (taken.is === 'ours') return this.#claim(wish, taken);
        if (taken.is === 'asked-about') {
          this.#catchUpSoon();
          // Members that beat report their claims at once.
          if (clock.monotonic() - since < recollects) return undefined;
          throw new Problem(
            'fleet-forgot',
            'the engine does not know all claims, and some members have not reported their claims',
          );
        }
        return this.#ofHeld(wish, taken.held, ask);
      });
    } catch (error) {
      // The engine may still have given us the claim.
      if (!isProblem(error, 'document-claimed', 'fleet-forgot')) this.#owe({ documentUuid, releaseId });
      throw error;
    }
  }

  async sending(claim: Claim, job: PrinterJob | undefined, options: ClaimOptions): Promise<void> {
    const { documentUuid, releaseId, version, number } = claim;
    const { member, sealing, alone, solitude } = this.#deps;
    if (number === 0) {
      if (!solitude.isAlone()) throw lost('the gateway is alone no more');
      return alone.sending(claim, job, options);
    }
    const document = documentKey(documentUuid);
    const sealed = job === undefined ? null : sealing.sealJob({ document, releaseId }, job);
    const proof = sealing.prove({ document, releaseId, member }, { number, state: 'sending' });
    await askPatiently(this.#deps, options, async (ask) => {
      if (this.#goesAlone()) return true;
      const [row] = await ask(sql.announceSending, [document, member, releaseId, version, sealed, proof]);
      if (row === undefined) throw lost('another member has raised the claim');
      return true;
    });
  }

  ended(release: ClaimedRelease, state: EndState): void {
    const { engine, alone } = this.#deps;
    alone.ended(release, state);
    this.#end((...asked) => engine.ask(...asked, { within: oneQuestion }), release, state).catch(() =>
      this.#owe(release),
    );
  }

  async isOurs({ documentUuid, releaseId, version }: Claim, { signal }: ClaimOptions): Promise<boolean> {
    const { engine, member } = this.#deps;
    if (this.#goesAlone()) return true;
    const [row] = await engine.ask(sql.holderOfClaim, [documentKey(documentUuid)], {
      signal,
      within: oneQuestion,
    });
    // A claim that the engine has forgotten cannot have gone to another member.
    if (row === undefined) return true;
    const holder = sql.holderShape.parse(row);
    return holder.member === member && holder.releaseId === releaseId && holder.version === version;
  }

  async elsewhere(
    documentUuids: readonly string[],
    { signal }: ClaimOptions,
  ): Promise<ReadonlyMap<string, HeldElsewhere>> {
    const { engine, member, sealing, clock, log } = this.#deps;
    if (documentUuids.length === 0 || engine.state().is === 'away') return new Map();
    const asked = new Map(documentUuids.map((uuid) => [documentKey(uuid), uuid]));
    try {
      const values = [[...asked.keys()], member];
      const rows = await engine.ask(sql.claimsElsewhere, values, { signal, within: listPatience });
      const all = rows.map((row) => sql.elsewhereShape.parse(row));
      const left = all.filter(({ isLeft }) => isLeft === true).map(({ document }) => document);
      if (left.length > 0) this.#deps.onLeft(left);
      if (all.some(({ releaseId }) => releaseId === null)) this.#catchUpSoon();
      return new Map(
        all.map((found) => [
          asked.get(found.document) ?? found.document,
          heldOf(found, { sealing, now: clock.now() }),
        ]),
      );
    } catch (error) {
      signal.throwIfAborted();
      log.warn('claims elsewhere not known', { error: error as Error });
      return new Map();
    }
  }

  found(documentUuid: string, { releaseId }: HeldElsewhere): void {
    // If this fails, the document only asks once more.
    this.#find(documentKey(documentUuid), releaseId).catch(() => {});
  }

  async #find(document: string, releaseId: string): Promise<void> {
    const { engine, sealing } = this.#deps;
    const [row] = await engine.ask(sql.doubtedClaim, [document, releaseId], { within: oneQuestion });
    if (!row) return;
    const doubted = { document, releaseId, ...sql.doubtedShape.parse(row) };
    const { number } = doubted;
    const proof = sealing.prove(doubted, { number, ...sealing.saidBy(doubted), state: 'printed' });
    await engine.ask(sql.findPages, [document, releaseId, doubted.member, proof], { within: oneQuestion });
  }

  #wished({ documentUuid, releaseId, terminal, place, again, finish, will }: ClaimWish): readonly unknown[] {
    const { member, books, sealing, recollection } = this.#deps;
    const document = documentKey(documentUuid);
    const { cuts } = books.of(releaseId) ?? {};
    const sealed = sealing.sealWill({ document, releaseId }, { ...will, ...(cuts && { cuts }) });
    // The engine chooses the number later. There is only one claim for a release.
    const proof = sealing.prove({ document, releaseId, member }, { number: 0, state: 'claimed' });
    return [
      document,
      member,
      releaseId,
      terminal,
      place,
      sealed,
      again ?? null,
      finish === 'keep',
      recollection.highest(),
      proof,
    ];
  }

  /** F12: no other member has heard of the document, and none is given it before this member has told. */
  #goesAlone(): boolean {
    const { engine, solitude } = this.#deps;
    const isAlone = solitude.isAlone() && engine.state().is === 'away';
    if (isAlone) solitude.wentAlone();
    return isAlone;
  }

  async #takeAlone(wish: ClaimWish, options: ClaimOptions): Promise<Claim> {
    const { alone, log } = this.#deps;
    const claim = await alone.take(wish, options);
    log.info('claimed without the engine', { releaseId: wish.releaseId });
    return claim;
  }

  #claim(
    { documentUuid, releaseId }: ClaimWish,
    { number, version }: Pick<Claim, 'number' | 'version'>,
  ): Claim {
    this.#deps.recollection.saw(number);
    return { documentUuid, releaseId, number, version };
  }

  /** It may be ours already, or belong to a release of ours whose end the engine has not heard of. */
  async #ofHeld(wish: ClaimWish, held: Held, ask: Ask): Promise<Claim | undefined> {
    const { member, books } = this.#deps;
    if (held.member === member) {
      if (held.releaseId === wish.releaseId && held.isOpen) return this.#claim(wish, held);
      const state = held.isOpen ? endOf(books.of(held.releaseId)) : undefined;
      if (state !== undefined) {
        await this.#end(ask, { documentUuid: wish.documentUuid, ...held }, state);
        return undefined;
      }
    }
    const place = held.member === member ? {} : { place: held.place };
    throw new Problem('document-claimed', `release ${held.releaseId} has the document, or had it`, place);
  }

  async #end(ask: Ask, { documentUuid, releaseId, version }: ClaimedRelease, state: EndState): Promise<void> {
    const { member, books, sealing } = this.#deps;
    const known = books.of(releaseId);
    const { owesHistory = false, deletionOwed = false, number = 0, before = state, cuts = [] } = known ?? {};
    const end = claimStates[outcomeOf[state]];
    // Pages of an earlier release may have come out, and that state stays (I1, I11). The engine knows it, and these
    // books do if the engine has forgotten.
    const endIfForgotten = claimStates[outcomeOf[state === 'NOOUTPUT' ? before : state]];
    const cut = state === 'NOOUTPUT' ? [] : cuts;
    const document = documentKey(documentUuid);
    const proofs = [end, endIfForgotten].map((said) =>
      sealing.prove({ document, releaseId, member }, { number, state: said, owesHistory, deletionOwed }),
    );
    await books.durable();
    await ask(sql.endClaim, [
      document,
      member,
      releaseId,
      version ?? null,
      end,
      owesHistory,
      deletionOwed,
      endIfForgotten,
      cut.map((one) => one.releaseId),
      cut.map(({ pages }) => pages),
      ...proofs,
      cut.map((one) => sealing.proveCut(one.releaseId, one.pages)),
    ]);
  }

  #owe({ releaseId }: ClaimedRelease): void {
    this.#deps.log.debug('claim to be settled later', { releaseId });
    this.#catchUpSoon();
  }

  #catchUpSoon(): void {
    this.#isBehind = true;
    this.#wake.ring();
  }

  /** No person waits for it. If it fails, a later look of any member does it. */
  async #sweep(signal: AbortSignal): Promise<void> {
    const { engine, log } = this.#deps;
    try {
      await sweepOldClaims((...asked) => engine.ask(...asked, { signal, within: oneQuestion }), log);
    } catch (error) {
      if (!signal.aborted) log.debug('old claims not removed yet', { error: error as Error });
    }
  }

  /** Brings the engine and this ledger up to date with each other. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    const { engine, member, books, recollection, solitude, log } = this.#deps;
    const ask: Ask = (statement, values) => engine.ask(statement, values, { signal, within: oneQuestion });
    this.#isBehind = false;
    try {
      await solitude.settle(ask);
      await recollection.tell(ask);
      for (const row of await ask(sql.openClaims, [member])) {
        const { document: documentUuid, isTakenOver, ...claim } = sql.openShape.parse(row);
        const known = books.of(claim.releaseId);
        // It is not in these books yet, or its record is not.
        if (isTakenOver && (known === undefined || known.leftHistory)) continue;
        // If these books have lost the release, no member knows more.
        const state = known === undefined ? 'UNKNOWN' : endOf(known);
        if (state !== undefined) await this.#end(ask, { documentUuid, ...claim }, state);
      }
    } catch (error) {
      this.#isBehind = true;
      if (!signal.aborted) log.debug('claims not settled yet', { error: error as Error });
    }
  }
}

const lost = (why: string): Problem => new Problem('claim-lost', why, { delivery: 'not-sent' });

const endOf = (known: { readonly state: OpenState | EndState } | undefined): EndState | undefined =>
  known && known.state in outcomeOf ? (known.state as EndState) : undefined;
