/** What a person has set, until they leave, and how they are seen off: in their language, and nobody else's. */
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
  /** Their stick is in still. */
  readonly hasStick: boolean;
  readonly generation: number;
}

/** So long a notice that sees somebody off is in their language, however long it stands: the next person has their own. */
const lastWordSeconds = 10;

/** The login failed of a badge whose language was known. */
const isTurnedAway = (before: Frame, next: Frame): boolean =>
  isTold(next) && before.language !== undefined && next.language === undefined;

/** Why nothing more can be done for them. */
const isTold = ({ state, notice }: Frame): boolean => state === 'prompting' && notice !== undefined;

export function useLeaveTaking(look: Look) {
  const [preferences, setPreferences] = useState<Preferences>(noPreferences);
  const [farewell, setFarewell] = useState<Farewell>();
  const [lastWord, setLastWord] = useState<object>();
  const isTakingLeave = useRef(false);
  const forget = (): void => setPreferences(noPreferences);

  /** How it was said is not the next person's. */
  function end(): void {
    setFarewell(undefined);
    setLastWord(undefined);
    if (isTakingLeave.current) forget();
    isTakingLeave.current = false;
  }
  useEffect(() => farewell && after(farewellSeconds * 1_000, end), [farewell]);
  useEffect(() => lastWord && after(lastWordSeconds * 1_000, end), [lastWord]);

  /** What they are told last is in their language, and is heard by who cannot see. */
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
      speakOn(before, { isSpokenTo: leave !== undefined || isTold(next) });
    } else if (before && isTurnedAway(before, next)) speakOn(before, { isSpokenTo: true });
    // What was chosen before the badge was read may have been somebody else's choice.
    if (next.language !== undefined && next.language !== before?.language) setPreferences(withoutLanguage);
  }

  return {
    preferences,
    forget,
    end,
    follow,
    prefer: (changed: Partial<Preferences>) => setPreferences((known) => ({ ...known, ...changed })),
    toggleSpoken: () => setPreferences((known) => ({ ...known, spoken: !known.spoken })),
    /** What is shown of it beside this frame. */
    at(frame: Frame | undefined): { readonly farewell?: Farewell; readonly leave?: Leave } {
      const isShown = frame?.state === 'prompting' && frame.generation === farewell?.generation;
      return farewell && isShown ? { farewell, leave: farewell.leave } : {};
    },
  };
}
