/**
 * The look, the speech and the language of the page, behind one button, so that they need no room beside the documents.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LanguageCode } from '../../../domain/language.ts';
import { useWords } from '../languages/words.ts';
import type { Preferences } from '../preferences.ts';
import { canSpeak, onVoices } from '../words/speech.ts';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';
import { LanguageChoice } from './language-choice.tsx';

interface SettingsProps {
  readonly preferences: Preferences;
  readonly prefer: (changed: Partial<Preferences>) => void;
  /** Absent if the screen offers the languages itself. */
  readonly onLanguage: ((language: LanguageCode) => void) | undefined;
}

export function Settings({ preferences, prefer, onLanguage }: SettingsProps) {
  const { say } = useWords();
  const panel = useRef<HTMLDivElement>(null);
  const isVoiced = useVoice();
  const { highContrast, largeText, spoken } = preferences;
  return (
    <>
      <button
        type="button"
        class="round settings-opener"
        popovertarget="settings"
        aria-label={say('settings')}
      >
        <Icon name="settings" />
      </button>
      <div
        ref={panel}
        id="settings"
        class="settings"
        popover="auto"
        role="group"
        aria-label={say('settings')}
      >
        <Switch
          label={say('highContrast')}
          icon="contrast"
          isOn={highContrast}
          onTurn={(on) => prefer({ highContrast: on })}
        />
        <Switch
          label={say('largeText')}
          icon="text"
          isOn={largeText}
          onTurn={(on) => prefer({ largeText: on })}
        />
        {isVoiced && (
          <Switch
            label={say('readAloud')}
            icon="speaker"
            isOn={spoken}
            onTurn={(on) => prefer({ spoken: on })}
          />
        )}
        {onLanguage && (
          <LanguageChoice
            onChoice={(language) => {
              onLanguage(language);
              // The focus goes back to the button.
              panel.current?.hidePopover();
            }}
          />
        )}
      </div>
    </>
  );
}

/** Whether there is a voice for the present language. */
function useVoice(): boolean {
  const { language } = useWords();
  const [found, setFound] = useState(0);
  useEffect(() => onVoices(() => setFound((count) => count + 1)), []);
  // Debian's speech dispatcher has thirteen thousand voices, so the search is done only once.
  return useMemo(() => canSpeak(language.code), [language, found]);
}

interface SwitchProps {
  readonly label: string;
  readonly icon: IconName;
  readonly isOn: boolean;
  readonly onTurn: (on: boolean) => void;
}

const Switch = ({ label, icon, isOn, onTurn }: SwitchProps) => (
  <button type="button" class="quiet" aria-pressed={isOn} onClick={() => onTurn(!isOn)}>
    <Icon name={icon} />
    {label}
  </button>
);
