/**
 * The version of IPP that one printer is asked in (RFC 8011 section 4.1.8): 2.0 unless it lists lower ones, and the next
 * lower where it refuses. Some refuse by server-error-version-not-supported, some by client-error-bad-request, some in
 * HTTP; CUPS steps down at these too (backend/ipp.c). What worked is remembered with the printer's identity.
 */
import type { PrinterHabits } from '../../../domain/ports/printer-memory.ts';
import { isProblem } from '../../../domain/problem/problem.ts';
import type { Message } from '../../../ipp/message.ts';
import { statusCodes } from '../../../ipp/status.ts';
import type { Acquaintance } from './acquaintance.ts';

export type IppVersion = NonNullable<PrinterHabits['version']>;

/** Best first. */
const versions: readonly IppVersion[] = ['2.0', '1.1', '1.0'];
const numbers: Readonly<Record<IppVersion, Message['version']>> = {
  '2.0': [2, 0],
  '1.1': [1, 1],
  '1.0': [1, 0],
};

export const versionNumber = (version: IppVersion): Message['version'] => numbers[version];

/** What became of a request. */
export type Outcome = { readonly answer: Message } | { readonly fault: unknown };

/** HTTP's own words for it: a version, or the request as a whole. */
const httpRefusals: ReadonlySet<number | undefined> = new Set([400, 505]);

/**
 * Whether the version may be what was refused. A printer that has understood this version before means something else
 * by a bad request.
 */
export function isRefusedAs(outcome: Outcome, isSettled: boolean): boolean {
  if (!('answer' in outcome)) {
    return !isSettled && isProblem(outcome.fault) && httpRefusals.has(outcome.fault.status);
  }
  const { code } = outcome.answer;
  if (code === statusCodes['server-error-version-not-supported']) return true;
  return !isSettled && code === statusCodes['client-error-bad-request'];
}

export interface SpokenVersion {
  /** To be tried one after the other, for a request that may be made again in another version. */
  order(): readonly IppVersion[];
  /** For one that may not, because a document follows it. */
  settled(): IppVersion;
  isSettled(version: IppVersion): boolean;
  /** The printer did what it was asked in this version, and had refused it in those. */
  worked(version: IppVersion, refused: readonly IppVersion[]): void;
  /** `ipp-versions-supported`, from the printer that is known to be the right one. */
  listed(supported: readonly string[]): void;
}

export function spokenVersion(
  acquaintance: Pick<Acquaintance, 'habits' | 'learn'> | undefined,
): SpokenVersion {
  let next = acquaintance?.habits().version ?? '2.0';
  let understood: IppVersion | undefined;
  // Since we were started: what new firmware lists is tried anew.
  const notAtAll = new Set<IppVersion>();

  return {
    order() {
      const at = versions.indexOf(next);
      return [...versions.slice(at), ...versions.slice(0, at)];
    },
    settled: () => understood ?? next,
    isSettled: (version) => version === understood,
    worked(version, refused) {
      for (const one of refused) notAtAll.add(one);
      next = version;
      understood = version;
    },
    listed(supported) {
      const isGood = (one: IppVersion) => !notAtAll.has(one) && supported.some((own) => isOf(own, one));
      next = versions.find(isGood) ?? next;
      const remembered = understood === '2.0' ? undefined : understood;
      if (acquaintance && acquaintance.habits().version !== remembered) {
        acquaintance.learn({ version: remembered });
      }
    },
  };
}

/** 2.1 and 2.2 are 2.0 with more operations that must be there (PWG 5100.12). */
const isOf = (own: string, version: IppVersion): boolean =>
  version === '2.0' ? own.startsWith('2.') : own === version;
