/**
 * The page as a whole: takes frames, picks the screen, and keeps what a person has set until they leave. A screen lives
 * as long as its generation (reliability.md D2, I3): what was typed, ticked and shown goes with it.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Frame } from '../frame.ts';
import { after, now } from './clock.ts';
import { headlineOf } from './headline.ts';
import { wordsOf, WordsProvider } from './languages/words.ts';
import { Announcer } from './parts/announcer.tsx';
import { Header } from './parts/header.tsx';
import type { Preferences } from './preferences.ts';
import { apply, languageOf, noPreferences } from './preferences.ts';
import { screenOf } from './screens/screen-of.tsx';
import { createSounds, signalOf } from './signals.ts';
import { hush, speak } from './speech.ts';
import type { TerminalLink, Wish } from './terminal-link.ts';

/** So long the farewell stands, unless the next person comes first. Milliseconds. */
const farewell = 4_000;
const activityInterval = 5_000;
const apologyTime = 6_000;
const atWork: ReadonlySet<string> = new Set(['choosing', 'releasing']);
const inSession: ReadonlySet<string> = new Set([...atWork, 'listing']);
const waitsForPerson: ReadonlySet<string> = new Set([...atWork, 'askingPin', 'enrolling']);

/** `connecting`: nothing has come yet; `lost`: what came may be old. */
type Line = Frame | 'connecting' | 'lost';
const frameOf = (line: Line): Frame | undefined => (typeof line === 'string' ? undefined : line);

/** Whoever the frame before was for: they are gone, or the next badge has taken their place. */
const hasLeft = (before: Frame, { state }: Frame): boolean =>
  inSession.has(before.state) || (state === 'prompting' && before.state !== 'prompting');

export function App({ link }: { readonly link: TerminalLink }) {
  const [line, setLine] = useState<Line>('connecting');
  const [preferences, setPreferences] = useState<Preferences>(noPreferences);
  const [leaver, setLeaver] = useState(-1);
  const [apology, setApology] = useState<'notPossible' | 'notSent'>();
  const frame = frameOf(line);
  const latest = useRef<Frame>(undefined);
  const lastActivity = useRef(0);
  const play = useMemo(createSounds, []);

  useEffect(
    () =>
      link.watch((next) => {
        const before = latest.current;
        latest.current = next;
        const isNew = before?.generation !== next?.generation;
        if (isNew) {
          hush();
          setApology(undefined);
        }
        if (next) {
          const signal = signalOf(before, next);
          if (signal) play(signal);
          if (isNew && before && hasLeft(before, next)) {
            setPreferences(noPreferences);
            if (atWork.has(before.state) && !next.notice) setLeaver(next.generation);
          }
        } else setPreferences(noPreferences);
        setLine((known) => next ?? (known === 'connecting' ? known : 'lost'));
      }),
    [link],
  );
  useEffect(() => (leaver < 0 ? undefined : after(farewell, () => setLeaver(-1))), [leaver]);
  useEffect(() => apology && after(apologyTime, () => setApology(undefined)), [apology]);

  const language = languageOf(preferences, frame?.language);
  const words = useMemo(() => wordsOf(language), [language]);
  useEffect(() => apply(preferences, language), [preferences, language]);

  const isLeaving = frame !== undefined && frame.state === 'prompting' && frame.generation === leaver;
  const announcement = announcementOf();
  useEffect(() => {
    if (preferences.spoken) speak(announcement, language.code);
  }, [preferences.spoken, announcement, language]);

  function announcementOf(): string {
    if (line === 'lost') return words.say('lost');
    if (frame === undefined) return words.say('oneMoment');
    if (isLeaving) return words.say('goodbye');
    const { notice, sentence } = frame;
    return [notice && words.sayNotice(notice, sentence), headlineOf(frame, words)].filter(Boolean).join(' ');
  }

  const generation = frame?.generation;
  const send = useMemo(
    () => async (wish: Wish) => {
      const isShown = () => generation !== undefined && latest.current?.generation === generation;
      // Who said it, or who would be told, is not here any more.
      if (!isShown()) return 'not-possible';
      const sent = await link.send(generation ?? 0, wish);
      if (sent !== 'done' && isShown() && wish.command !== 'still-there') {
        setApology(sent === 'not-possible' ? 'notPossible' : 'notSent');
      }
      return sent;
    },
    [link, generation],
  );

  const noteActivity = (): void => {
    const isWaited = latest.current !== undefined && waitsForPerson.has(latest.current.state);
    if (!isWaited || now() - lastActivity.current < activityInterval) return;
    lastActivity.current = now();
    void send({ command: 'still-there' });
  };
  const prefer = (changed: Partial<Preferences>): void => {
    setPreferences((known) => ({ ...known, ...changed }));
  };

  return (
    <WordsProvider value={words}>
      <div class="page" onPointerDown={noteActivity} onKeyDown={noteActivity}>
        <Header frame={frame} preferences={preferences} prefer={prefer} send={send} />
        {screenOf({ line: isLeaving ? 'farewell' : line, send, prefer })}
        {apology && (
          <p class="toast" role="alert">
            {words.say(apology)}
          </p>
        )}
        <Announcer text={announcement} />
      </div>
    </WordsProvider>
  );
}
