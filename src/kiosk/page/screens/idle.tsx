/** The idle screen: what to do, in letters for reading from a distance, other ways to sign in, and the languages. */
import { useState } from 'preact/hooks';
import type { TypedWay } from '../../../domain/login.ts';
import type { SignView } from '../../../domain/terminal/terminal-view.ts';
import { headlineOf } from '../../../phrases/headline.ts';
import { standInOf } from '../../../phrases/printer-words.ts';
import { useWords } from '../languages/words.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import { saidIn, useLook } from '../look.ts';
import { CardPicture } from '../parts/card-picture.tsx';
import { LanguageChoice } from '../parts/language-choice.tsx';
import { NoticeLine } from '../parts/notice-line.tsx';
import { PrinterLine } from '../parts/printer-line.tsx';
import type { Preferences } from '../preferences.ts';
import type { ScreenProps } from '../screen.ts';
import { useEntryFocus } from '../screen.ts';
import type { FieldSpec, Typed } from '../keys/typed-form.tsx';
import { TypedForm } from '../keys/typed-form.tsx';
import type { Wish } from '../terminal-link.ts';

interface IdleProps extends ScreenProps {
  readonly prefer: (changed: Partial<Preferences>) => void;
}

const ways: Readonly<Record<TypedWay, SentenceKey>> = {
  'short-id': 'wayShortId',
  password: 'wayPassword',
  name: 'wayName',
  email: 'wayEmail',
};

export function Idle({ frame, send, prefer }: IdleProps) {
  const [way, setWay] = useState<TypedWay>();
  return way === undefined ? (
    <Welcome frame={frame} prefer={prefer} onWay={setWay} />
  ) : (
    <SignIn way={way} frame={frame} send={send} onBack={() => setWay(undefined)} />
  );
}

/** The name of the printer, and its place. */
const Sign = ({ sign: { printer, place } }: { readonly sign: SignView }) => (
  <p class="sign">
    {printer !== undefined && <bdi>{printer}</bdi>}
    {printer !== undefined && place !== undefined && ' · '}
    {place !== undefined && <bdi>{place}</bdi>}
  </p>
);

interface WelcomeProps extends Omit<IdleProps, 'send'> {
  readonly onWay: (way: TypedWay) => void;
}

function Welcome({ frame, prefer, onWay }: WelcomeProps) {
  const words = useWords();
  const { say } = words;
  const heading = useEntryFocus<HTMLHeadingElement>();
  const welcome = saidIn(useLook().idle, words.language);
  const standIn = standInOf(frame);
  return (
    <main class="welcome">
      <div class="invitation">
        <CardPicture isOut={frame.readers === 'down' || frame.notice?.code === 'cloud-unreachable'} />
        <div>
          <h1 ref={heading} tabIndex={-1} class="huge">
            {headlineOf(frame, words)}
          </h1>
          {frame.notice ? (
            <NoticeLine frame={frame} />
          ) : (
            <p class="hint">{welcome ?? say('documentsWait')}</p>
          )}
          <PrinterLine printer={frame.printer} />
          {standIn !== undefined && <p class="hint">{say('insteadTrouble', { printer: standIn })}</p>}
          {frame.sign && <Sign sign={frame.sign} />}
        </div>
      </div>
      {frame.offers && frame.offers.length > 0 && (
        <div class="ways" role="group" aria-label={say('noCard')}>
          <p>{say('noCard')}</p>
          {frame.offers.map((way) => (
            <button key={way} type="button" onClick={() => onWay(way)}>
              {say(ways[way])}
            </button>
          ))}
        </div>
      )}
      <LanguageChoice onChoice={(language) => prefer({ language })} />
    </main>
  );
}

/** The fields of the chosen way to sign in without a badge. */
const fieldsOf: Readonly<Record<TypedWay, readonly FieldSpec[]>> = {
  'short-id': [{ name: 'shortId', label: 'shortId', kind: 'digits' }],
  password: [
    { name: 'userName', label: 'userName', kind: 'text' },
    { name: 'password', label: 'password', kind: 'secret' },
  ],
  name: [{ name: 'userName', label: 'userName', kind: 'text' }],
  email: [{ name: 'email', label: 'email', kind: 'text' }],
};

interface SignInProps extends ScreenProps {
  readonly way: TypedWay;
  readonly onBack: () => void;
}

function SignIn({ way, frame, send, onBack }: SignInProps) {
  const { say } = useWords();
  return (
    <TypedForm
      title={say('signIn')}
      frame={frame}
      fields={fieldsOf[way]}
      onTyped={(typed) => send(wishOf(way, typed))}
      onBack={onBack}
    />
  );
}

function wishOf(way: TypedWay, typed: Typed): Wish {
  const { shortId = '', userName = '', password = '', email = '' } = typed;
  switch (way) {
    case 'short-id':
      return { command: 'log-in', way, shortId };
    case 'password':
      return { command: 'log-in', way, userName, password };
    case 'name':
      return { command: 'log-in', way, userName };
    default:
      return { command: 'log-in', way: 'email', email };
  }
}
