/** The language that the person in front chooses. It is remembered with their badge. */
import { asProblem } from '../../domain/problem/problem.ts';
import type { Said } from '../../domain/terminal/persons-word.ts';
import type { Told } from '../endings.ts';
import { beginsCountdown, notes } from '../endings.ts';

type Chosen = Told<Said<'language'>>;

const choosesLanguage = [
  notes(({ event: { language } }: Chosen) => ({ language })),
  ({ context, event }: Chosen): void => remember(context, event),
] as const;

/** Applies in every state with a person who is signed in. */
export const speaks = [
  {
    guard: ({ context: { session, generation }, event }: Chosen): boolean =>
      session !== undefined && event.generation === generation,
    actions: choosesLanguage,
  },
  { actions: 'tellIgnored' },
] as const;

/** At the list it also counts as a sign of the person. */
export const speaksOn = { guard: 'isShown', actions: [...choosesLanguage, ...beginsCountdown] } as const;

/** A person who typed has it until the session is over. */
function remember({ given, session }: Chosen['context'], { language }: Chosen['event']): void {
  try {
    if (session?.card) given.languages.remember(session.card, language);
  } catch (error) {
    const { code, message: detail, advice } = asProblem(error, 'store-failed', 'it could not be stored');
    given.log.warn('language not remembered', { code, detail, advice });
  }
}
