/**
 * Releases that ended as *unknown* and that no person has settled, and the word of an administrator who went to look.
 * Each word is a line in the log and in the timeline. The owner is never told less than before: a document that came
 * out leaves their list, and they are still asked about every other one (I1, I11).
 */
import type { Log } from '../core/log.ts';
import type { Ledger, ReleaseRegister, UnsettledRelease } from '../domain/ports/ledger.ts';
import type { AdministratorsWord, FinishMode, Sayer } from '../domain/release.ts';

export interface Settled {
  readonly settled: readonly string[];
  /**
   * No word is expected on these: the release does not exist, was settled already, or its document was released again.
   */
  readonly left: readonly string[];
}

export interface Unsettled {
  /** Newest first; at most `mostUnsettled`. */
  list(): readonly UnsettledRelease[];
  /** Durable when it resolves. `releaseIds` are whole ids. */
  settle(releaseIds: readonly string[], word: AdministratorsWord, sayer: Sayer): Promise<Settled>;
}

/** A person goes through no more than these at a time. */
export const mostUnsettled = 500;

export function createUnsettled(parts: {
  readonly ledger: Pick<Ledger, 'settled' | 'durable'>;
  readonly releases: Pick<ReleaseRegister, 'unsettled'>;
  /** `undefined` if the terminal is no longer configured. */
  finishOf(terminal: string): FinishMode | undefined;
  readonly log: Log;
}): Unsettled {
  const { ledger, releases, finishOf, log } = parts;
  const list = () => releases.unsettled(mostUnsettled);
  return {
    list,
    async settle(releaseIds, word, sayer) {
      const waiting = new Map(list().map((one) => [one.releaseId, one]));
      const wanted = [...new Set(releaseIds)];
      const found = wanted.flatMap((id) => waiting.get(id) ?? []);
      for (const { releaseId, terminal } of found) {
        const finish = finishOf(terminal);
        ledger.settled(releaseId, word, { deletionOwed: finish !== undefined && finish !== 'keep' });
        log.info('release settled by an administrator', { terminal, releaseId, word, ...sayer });
      }
      await ledger.durable();
      return {
        settled: found.map(({ releaseId }) => releaseId),
        left: wanted.filter((id) => !waiting.has(id)),
      };
    },
  };
}
