/** Above every screen: who is here or what time it is, how the printer is, and how the page is to look and speak. */
import { useEffect, useState } from 'preact/hooks';
import type { PrinterView } from '../../../domain/terminal-view.ts';
import type { Frame } from '../../frame.ts';
import { every, wallTime } from '../clock.ts';
import type { SentenceKey } from '../languages/message.ts';
import { useWords } from '../languages/words.ts';
import type { Preferences } from '../preferences.ts';
import type { ScreenProps } from '../screen.ts';
import { canSpeak } from '../speech.ts';
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
  const { highContrast, largeText, spoken } = preferences;
  const isIdle = frame?.state === 'prompting';
  // A page that is told of nobody has nobody to sign out.
  const isSession = frame !== undefined && isOfSomebody(frame);
  useEffect(() => setChoosing(false), [frame?.generation]);
  return (
    <header>
      <div class="bar">
        {frame?.fullName === undefined ? (
          <Clock />
        ) : (
          <p class="person">
            <bdi>{say('hello', { name: frame.fullName })}</bdi>
          </p>
        )}
        {frame?.printer && <Lamp printer={frame.printer} />}
        <div class="controls" role="group" aria-label={say('settings')}>
          {!isIdle && (
            <button
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
          {canSpeak() && (
            <Switch
              label={say('readAloud')}
              icon="speaker"
              isOn={spoken}
              onTurn={(on) => prefer({ spoken: on })}
            />
          )}
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
            prefer({ language });
            setChoosing(false);
          }}
        />
      )}
    </header>
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

const lamps: Readonly<Record<PrinterView['lamp'], SentenceKey>> = {
  ready: 'printerReady',
  busy: 'printerBusy',
  'needs-attention': 'printerNeedsAttention',
  unreachable: 'printerAway',
};

function Lamp({ printer: { lamp } }: { readonly printer: PrinterView }) {
  const { say } = useWords();
  return (
    <p class={`lamp ${lamp}`}>
      <Icon name="printer" />
      <span>{say(lamps[lamp])}</span>
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
