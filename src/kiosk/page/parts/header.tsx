/** Above every screen: the person or the time, the state of the printer, the settings of the page, and the way out. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Frame } from '../../frame.ts';
import { every, wallTime } from '../../../listener/page/clock.ts';
import { useWords } from '../languages/words.ts';
import { useLook } from '../look.ts';
import type { LanguageCode } from '../../../domain/language.ts';
import type { Preferences } from '../preferences.ts';
import { lampWords, printerWords } from '../../../phrases/printer-words.ts';
import { printerNow } from '../../../phrases/printer-words.ts';
import type { ScreenProps } from '../screen.ts';
import { hasPerson } from '../terminal-link.ts';
import { Icon } from './icon.tsx';
import { Settings } from './settings.tsx';
import { drawnText } from '../words/drawn-emoji.ts';

interface HeaderProps extends Pick<ScreenProps, 'send'> {
  readonly frame: Frame | undefined;
  readonly preferences: Preferences;
  readonly prefer: (changed: Partial<Preferences>) => void;
}

export function Header({ frame, preferences, prefer, send }: HeaderProps) {
  const { say } = useWords();
  // A page that knows no person has no button to sign out.
  const isSession = frame !== undefined && hasPerson(frame);
  const choose = (language: LanguageCode): void => {
    prefer({ language });
    // The language is kept if there is a badge to keep it with.
    if (isSession) void send({ command: 'language', language });
  };
  return (
    <header class="bar">
      {frame?.state === 'prompting' && <Brand />}
      {frame?.fullName === undefined ? <Clock /> : <Greeting name={frame.fullName} />}
      {frame?.printer && <Lamp key={frame.generation} frame={frame} />}
      <div class="controls">
        <Settings
          key={frame?.generation}
          preferences={preferences}
          prefer={prefer}
          onLanguage={frame?.state === 'prompting' ? undefined : choose}
        />
        {frame?.offersAccount && <AccountOpener send={send} />}
        {isSession && (
          <button type="button" class="leave" onClick={() => void send({ command: 'log-out' })}>
            {say('signOut')}
          </button>
        )}
      </div>
    </header>
  );
}

function AccountOpener({ send }: Pick<ScreenProps, 'send'>) {
  const { say } = useWords();
  return (
    <button
      type="button"
      class="round"
      aria-label={say('myAccount')}
      onClick={() => void send({ command: 'open-account' })}
    >
      <Icon name="person" />
    </button>
  );
}

/** The name and the logo of the organisation. */
function Brand() {
  const { name, logo } = useLook();
  if (name === undefined && logo === undefined) return null;
  return (
    <p class="brand">
      {logo !== undefined && <img src={logo} alt={name === undefined ? 'Logo' : ''} />}
      {name !== undefined && <bdi>{name}</bdi>}
    </p>
  );
}

/** A long name is cut at its own end, in both directions of text. In large text it has its own line. */
function Greeting({ name }: { readonly name: string }) {
  const [before, after] = useWords().say('hello', { name: '\n' }).split('\n');
  return (
    <p class="person">
      <span>{before}</span>
      <bdi>{drawnText(name)}</bdi>
      <span>{after}</span>
    </p>
  );
}

/** These screens already tell the printer's need, or that nobody can print here. */
const tellsItself: ReadonlySet<string> = new Set(['prompting', 'releasing', 'outOfService']);

function Lamp({ frame }: { readonly frame: Frame }) {
  const words = useWords();
  const { state, trouble } = frame;
  const hadNeed = useRef(false);
  const printer = printerNow(frame);
  if (!printer) return null;
  const need = printerWords(printer, words);
  // After a need, the lamp also tells that the printer is ready again.
  hadNeed.current ||= need !== undefined;
  const lamp = need && printer.lamp === 'ready' ? 'needs-attention' : printer.lamp;
  return (
    <p
      class={`lamp ${lamp} ${need && (trouble || tellsItself.has(state)) ? 'quiet' : ''} ${hadNeed.current ? 'told' : ''}`}
    >
      <span>{need?.what ?? words.say(lampWords[lamp])}</span>
    </p>
  );
}

function Clock() {
  const { locale } = useWords();
  const [time, setTime] = useState(wallTime);
  useEffect(() => every(5_000, () => setTime(wallTime())), []);
  const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
  return (
    <p class="clock">
      <time>{format.format(time)}</time>
    </p>
  );
}
