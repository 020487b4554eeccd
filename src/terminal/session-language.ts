/**
 * The language the person in front reads: chosen in this session, or with this badge before. A choice is remembered with
 * the badge of its session; who typed has it until the session is over.
 */
import type { Log } from '../core/log.ts';
import type { LanguageCode } from '../domain/language.ts';
import type { Languages } from '../domain/ports/languages.ts';
import { asProblem } from '../domain/problem/problem.ts';
import type { TerminalSnapshot } from './state.ts';
import { stateOf } from './state.ts';

type Snapshot = Pick<TerminalSnapshot, 'value' | 'context'>;

/** In answer to a view (reliability.md D2). */
export interface ChosenLanguage {
  readonly generation: number;
  readonly language: LanguageCode;
}

export interface SessionLanguage {
  /** `false`, and nothing has happened, where that view is gone or nobody is signed in. */
  choose(chosen: ChosenLanguage, at: Snapshot): boolean;
  /** `undefined` where nobody has chosen, or nobody is known to be here. */
  of(at: Snapshot): LanguageCode | undefined;
  /** After every step of the terminal: what was chosen in a session is gone with it (I3). */
  moved(to: Snapshot): void;
}

/** The badge was read. */
const isKnown = ['askingPin', 'authenticating', 'listing', 'choosing', 'releasing'];

export function createSessionLanguage(tools: {
  readonly languages: Languages;
  readonly log: Log;
}): SessionLanguage {
  const { languages, log } = tools;
  let chosen: { readonly sessionId: string; readonly language: LanguageCode } | undefined;

  return {
    choose({ generation, language }, { context }) {
      const { session } = context;
      if (!session || generation !== context.generation) return false;
      chosen = { sessionId: session.id, language };
      try {
        if (session.card) languages.remember(session.card, language);
      } catch (error) {
        const { code, message: detail, advice } = asProblem(error, 'store-failed', 'it could not be stored');
        log.warn('language not remembered', { code, detail, advice });
      }
      return true;
    },
    of(at) {
      const { session, card } = at.context;
      if (!isKnown.includes(stateOf(at))) return undefined;
      if (chosen && chosen.sessionId === session?.id) return chosen.language;
      const shown = session ? session.card : card;
      return shown && languages.of(shown);
    },
    moved({ context: { session } }) {
      if (chosen?.sessionId !== session?.id) chosen = undefined;
    },
  };
}
