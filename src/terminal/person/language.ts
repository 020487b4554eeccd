/** The language of the person in front: chosen in the session, or with their badge before. */
import type { Log } from '../../core/log.ts';
import type { LanguageCode } from '../../domain/language.ts';
import type { Languages } from '../../domain/ports/languages.ts';
import { asProblem } from '../../domain/problem/problem.ts';
import type { Session } from '../context.ts';
import type { TerminalSnapshot } from '../machine.ts';
import { stateOf } from '../machine.ts';

/** The states in which the badge was read already. */
const isKnown = ['askingPin', 'authenticating', 'listing', 'choosing', 'releasing', 'account'];

/**
 * A language chosen in this session is remembered with the badge. A person who typed has it until the session is over.
 */
export function rememberLanguage(
  { card }: Session,
  language: LanguageCode,
  { languages, log }: { readonly languages: Languages; readonly log: Log },
): void {
  try {
    if (card) languages.remember(card, language);
  } catch (error) {
    const { code, message: detail, advice } = asProblem(error, 'store-failed', 'it could not be stored');
    log.warn('language not remembered', { code, detail, advice });
  }
}

/**
 * The language chosen in this session, or with this badge before. `undefined` if none was chosen, or if no person is
 * known to be here.
 */
export function languageAt(
  at: Pick<TerminalSnapshot, 'value' | 'context'>,
  languages: Languages,
): LanguageCode | undefined {
  const { session, card, language } = at.context;
  if (!isKnown.includes(stateOf(at))) return undefined;
  if (language !== undefined) return language;
  const shown = session ? session.card : card;
  return shown && languages.of(shown);
}
