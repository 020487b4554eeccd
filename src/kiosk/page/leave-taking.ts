/** A person's settings until they leave, and the goodbye in their language. The next person does not get them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Frame } from '../frame.ts';
import type { Look } from '../look.ts';
import { after } from '../../listener/page/clock.ts';
import type { Preferences } from './preferences.ts';
import { languageOf, noPreferences, withoutLanguage } from './preferences.ts';
import { farewellSeconds } from './screens/farewell.tsx';
import type { Leave } from './words/line.ts';
import { hasLeft, leaveOf } from './words/line.ts';

export interface Farewell {
  readonly leave: Leave;
  /** Their stick is still in. */
  readonly hasStick: boolean;
  readonly generation: number;
}

/**
 * A last notice stays in the language of its person for this time, even if it stands longer. The next person has their
 * own language.
 */
const lastWordSeconds = 10;

/** The login failed after a badge whose language was known. */
const isTurnedAway = (before: Frame, next: Frame): boolean =>
  hasReason(next) && before.language !== undefined && next.language === undefined;

/** The notice tells the person why they cannot continue. */
const hasReason = ({ state, notice }: Frame): boolean => state === 'prompting' && notice !== undefined;

export function useLeaveTaking(look: Look) {
  const [preferences, setPreferences] = useState<Preferences>(noPreferences);
  const [farewell, setFarewell] = useState<Farewell>();
  const [lastWord, setLastWord] = useState<object>();
  const isTakingLeave = useRef(false);
  const forget = (): void => setPreferences(noPreferences);

  /** The next person must not get these settings. */
  function end(): void {
    setFarewell(undefined);
    setLastWord(undefined);
    if (isTakingLeave.current) forget();
    isTakingLeave.current = false;
  }
  useEffect(() => farewell && after(farewellSeconds * 1_000, end), [farewell]);
  useEffect(() => lastWord && after(lastWordSeconds * 1_000, end), [lastWord]);

  /** The last words are in the person's language, and are read aloud if the person uses that. */
  function speakOn({ language }: Frame, { isSpokenTo }: { readonly isSpokenTo: boolean }): void {
    isTakingLeave.current = isSpokenTo;
    if (isSpokenTo) setLastWord({});
    setPreferences((known) =>
      isSpokenTo ? { ...known, language: languageOf(known, language, look).code } : noPreferences,
    );
  }

  function follow(before: Frame | undefined, next: Frame): void {
    if (before && hasLeft(before, next)) {
      const leave = leaveOf(before, next);
      if (leave) setFarewell({ leave, hasStick: before.stick !== undefined, generation: next.generation });
      speakOn(before, { isSpokenTo: leave !== undefined || hasReason(next) });
    } else if (before && isTurnedAway(before, next)) speakOn(before, { isSpokenTo: true });
    // Another person may have chosen a language before the badge was read.
    if (next.language !== undefined && next.language !== before?.language) setPreferences(withoutLanguage);
  }

  return {
    preferences,
    forget,
    end,
    follow,
    prefer: (changed: Partial<Preferences>) => setPreferences((known) => ({ ...known, ...changed })),
    toggleSpoken: () => setPreferences((known) => ({ ...known, spoken: !known.spoken })),
    /** The goodbye to show with this frame, if any. */
    at(frame: Frame | undefined): { readonly farewell?: Farewell; readonly leave?: Leave } {
      const isShown = frame?.state === 'prompting' && frame.generation === farewell?.generation;
      return farewell && isShown ? { farewell, leave: farewell.leave } : {};
    },
  };
}
