/** What a person has set, until they leave, and how they are seen off: in their language, and nobody else's. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Frame } from '../frame.ts';
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

export function useLeaveTaking() {
  const [preferences, setPreferences] = useState<Preferences>(noPreferences);
  const [farewell, setFarewell] = useState<Farewell>();
  const isTakingLeave = useRef(false);
  const forget = (): void => setPreferences(noPreferences);

  /** How it was said is not the next person's. */
  function end(): void {
    setFarewell(undefined);
    if (isTakingLeave.current) forget();
    isTakingLeave.current = false;
  }
  useEffect(() => farewell && after(farewellSeconds * 1_000, end), [farewell]);

  function follow(before: Frame | undefined, next: Frame): void {
    if (before && hasLeft(before, next)) {
      const leave = leaveOf(before, next);
      isTakingLeave.current = leave !== undefined;
      if (leave) setFarewell({ leave, hasStick: before.stick !== undefined, generation: next.generation });
      // The farewell is in their language, and is heard by who cannot see.
      setPreferences((known) =>
        leave === undefined ? noPreferences : { ...known, language: languageOf(known, before.language).code },
      );
    }
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
