/** Above every screen: who is here or what time it is, how the printer is, and how the page is to look and speak. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Frame } from '../../frame.ts';
import { every, wallTime } from '../clock.ts';
import { useWords } from '../languages/words.ts';
import type { LanguageCode } from '../languages/language.ts';
import type { Preferences } from '../preferences.ts';
import { lampWords, printerWords } from '../printer-words.ts';
import type { ScreenProps } from '../screen.ts';
import { canSpeak, onVoices } from '../speech.ts';
import { isOfSomebody } from '../terminal-link.ts';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';
import { LanguageChoice } from './language-choice.tsx';

interface HeaderProps extends Pick<ScreenProps, 'send'> {
  readonly frame: Frame | undefined;
  readonly preferences: Preferences;
  readonly prefer: (changed: Partial<Preferences>) => void;
}

export function Header({ frame, preferences, prefer, send }: HeaderProps) {
  const { say } = useWords();
  const [isChoosing, setChoosing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { highContrast, largeText, spoken } = preferences;
  const isIdle = frame?.state === 'prompting';
  // A page that is told of nobody has nobody to sign out.
  const isSession = frame !== undefined && isOfSomebody(frame);
  useEffect(() => setChoosing(false), [frame?.generation]);
  const choose = (language: LanguageCode): void => {
    prefer({ language });
    // Remembered where there is a badge by which to remember it.
    if (isSession) void send({ command: 'language', language });
  };
  return (
    <header>
      <div class="bar">
        {frame?.fullName === undefined ? <Clock /> : <Greeting name={frame.fullName} />}
        {frame?.printer && <Lamp frame={frame} />}
        <div class="controls" role="group" aria-label={say('settings')}>
          {!isIdle && (
            <button
              ref={opener}
              type="button"
              class="round"
              aria-label={say('language')}
              aria-expanded={isChoosing}
              onClick={() => setChoosing(!isChoosing)}
            >
              <Icon name="globe" />
            </button>
          )}
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
          <ReadAloud isOn={spoken} onTurn={(on) => prefer({ spoken: on })} />
        </div>
        {isSession && (
          <button type="button" class="leave" onClick={() => void send({ command: 'log-out' })}>
            {say('signOut')}
          </button>
        )}
      </div>
      {isChoosing && !isIdle && (
        <LanguageChoice
          onChoice={(language) => {
            choose(language);
            setChoosing(false);
            opener.current?.focus();
          }}
        />
      )}
    </header>
  );
}

/** A long name is cut at its own end, whichever way the page is read; in large text it stands alone. */
function Greeting({ name }: { readonly name: string }) {
  const [before, after] = useWords().say('hello', { name: '\n' }).split('\n');
  return (
    <p class="person">
      <span>{before}</span>
      <bdi>{name}</bdi>
      <span>{after}</span>
    </p>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly icon: IconName;
  readonly isOn: boolean;
  readonly onTurn: (on: boolean) => void;
}

const Switch = ({ label, icon, isOn, onTurn }: SwitchProps) => (
  <button type="button" class="round" aria-label={label} aria-pressed={isOn} onClick={() => onTurn(!isOn)}>
    <Icon name={icon} />
  </button>
);

/** Without a voice for the language it says so, and does nothing. */
function ReadAloud({ isOn, onTurn }: Pick<SwitchProps, 'isOn' | 'onTurn'>) {
  const { say, language } = useWords();
  const [found, setFound] = useState(0);
  useEffect(() => onVoices(() => setFound((count) => count + 1)), []);
  // Debian's speech dispatcher has thirteen thousand voices to look through.
  const isAble = useMemo(() => canSpeak(language.code), [language, found]);
  if (isAble) return <Switch label={say('readAloud')} icon="speaker" isOn={isOn} onTurn={onTurn} />;
  return (
    <button type="button" class="round" disabled aria-label={say('readAloudNone')}>
      <Icon name="mute" />
    </button>
  );
}

/** These say by themselves what the printer needs and what to do about it, or that nobody prints here. */
const tellsItself: ReadonlySet<string> = new Set(['prompting', 'releasing', 'outOfService']);

function Lamp({ frame: { state, printer } }: { readonly frame: Frame }) {
  const words = useWords();
  if (!printer) return null;
  const need = printerWords(printer, words);
  const lamp = need && printer.lamp === 'ready' ? 'needs-attention' : printer.lamp;
  return (
    <p class={`lamp ${lamp} ${need && tellsItself.has(state) ? 'quiet' : ''}`}>
      <Icon name="printer" />
      <span>{need?.what ?? words.say(lampWords[lamp])}</span>
    </p>
  );
}

function Clock() {
  const { language } = useWords();
  const [time, setTime] = useState(wallTime);
  useEffect(() => every(5_000, () => setTime(wallTime())), []);
  const format = new Intl.DateTimeFormat(language.code, { hour: 'numeric', minute: '2-digit' });
  return (
    <p class="clock">
      <time>{format.format(time)}</time>
    </p>
  );
}
