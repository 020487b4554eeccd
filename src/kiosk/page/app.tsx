/**
 * The page as a whole: takes frames, picks the screen, and keeps what a person has set until they leave. A screen lives
 * as long as its generation (reliability.md D2, I3): what was typed, ticked and shown goes with it.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Frame } from '../frame.ts';
import { announcementOf } from './words/announcement.ts';
import { after, now } from './clock.ts';
import { useFreshness } from './freshness.ts';
import type { Words } from './languages/words.ts';
import { useWordsOf, WordsProvider } from './languages/words.ts';
import type { Leave, Line } from './words/line.ts';
import { frameOf, hasLeft, isIdle, isWaiting, leaveOf } from './words/line.ts';
import { Announcer } from './parts/announcer.tsx';
import { Header } from './parts/header.tsx';
import type { Preferences } from './preferences.ts';
import { apply, languageOf, noPreferences, withoutLanguage } from './preferences.ts';
import { useReadAloud } from './words/read-aloud.ts';
import { farewellSeconds } from './screens/farewell.tsx';
import { screenOf } from './screens/screen-of.tsx';
import { createSounds, signalOf } from './signals.ts';
import { hush } from './words/speech.ts';
import type { TerminalLink, Wish } from './terminal-link.ts';

const activityInterval = 5_000;
const apologyTime = 6_000;

interface Farewell {
  readonly leave: Leave;
  readonly generation: number;
}

interface AppProps {
  readonly link: TerminalLink;
  /** Of the browser's own language, or those there are. */
  readonly words: Words;
}

export function App({ link, words: first }: AppProps) {
  const [line, setLine] = useState<Line>('connecting');
  const [preferences, setPreferences] = useState<Preferences>(noPreferences);
  const [farewell, setFarewell] = useState<Farewell>();
  const [apology, setApology] = useState<'notPossible' | 'notSent'>();
  /** How often the screen was asked for here, and how often somebody walked off from it. */
  const [claims, setClaims] = useState(0);
  const [visit, setVisit] = useState(0);
  const frame = frameOf(line);
  const latest = useRef<Line>('connecting');
  const lastActivity = useRef(0);
  const isTakingLeave = useRef(false);
  const play = useMemo(createSounds, []);
  const freshness = useFreshness({
    isIdle: isIdle(line),
    onNobodys() {
      setPreferences(noPreferences);
      setVisit((before) => before + 1);
    },
  });

  const prefer = (changed: Partial<Preferences>): void => {
    setPreferences((known) => ({ ...known, ...changed }));
  };

  /** How it was said is not the next person's. */
  function endFarewell(): void {
    setFarewell(undefined);
    if (isTakingLeave.current) setPreferences(noPreferences);
    isTakingLeave.current = false;
  }
  function follow(before: Frame | undefined, next: Frame): void {
    const signal = signalOf(before, next);
    if (signal) play(signal);
    if (before && hasLeft(before, next)) {
      const leave = leaveOf(before, next);
      isTakingLeave.current = leave !== undefined;
      if (leave) setFarewell({ leave, generation: next.generation });
      // The farewell is in their language, and is heard by who cannot see.
      setPreferences((known) =>
        leave === undefined ? noPreferences : { ...known, language: languageOf(known, before.language).code },
      );
    }
    // What was chosen before the badge was read may have been somebody else's choice.
    if (next.language !== undefined && next.language !== before?.language) setPreferences(withoutLanguage);
  }
  useEffect(
    () =>
      link.watch({
        onBuild: freshness.onBuild,
        onTold(told) {
          const before = frameOf(latest.current);
          const next = frameOf(told);
          latest.current = told;
          if (before?.generation !== next?.generation) {
            hush();
            setApology(undefined);
            endFarewell();
          }
          if (next) follow(before, next);
          else {
            freshness.wasAway();
            setPreferences(noPreferences);
          }
          const isOld = next !== undefined && before?.generation === next.generation;
          setLine((known) => {
            if (known === 'leaving' && isOld) return known;
            return known === 'connecting' && told === 'lost' ? known : told;
          });
        },
      }),
    [link, claims],
  );
  useEffect(() => farewell && after(farewellSeconds * 1_000, endFarewell), [farewell]);
  useEffect(() => apology && after(apologyTime, () => setApology(undefined)), [apology]);

  const spokenTo = line === 'leaving' ? frameOf(latest.current) : frame;
  const language = languageOf(preferences, spokenTo?.language);
  const words = useWordsOf({ language, choice: preferences, first, currency: frame?.currency });
  useEffect(() => apply(preferences, words), [preferences, words]);

  const isLeaving = frame?.state === 'prompting' && frame.generation === farewell?.generation;
  const leave = isLeaving ? farewell?.leave : undefined;
  const announcement = announcementOf(leave === undefined || leave === 'not-all' ? line : leave, words);
  useReadAloud({
    ...{ isOn: preferences.spoken, announcement, words },
    onToggle: () => setPreferences((known) => ({ ...known, spoken: !known.spoken })),
  });

  const generation = frame?.generation;
  const send = useMemo(
    () => async (wish: Wish) => {
      const isShown = () => generation !== undefined && frameOf(latest.current)?.generation === generation;
      // Who said it, or who would be told, is not here any more.
      if (!isShown()) return 'not-possible';
      if (wish.command === 'log-out') setLine('leaving');
      const sent = await link.send(generation ?? 0, wish);
      if (sent !== 'done' && isShown() && !isByTheWay(wish)) {
        setLine(latest.current);
        setApology(sent === 'not-possible' ? 'notPossible' : 'notSent');
      }
      return sent;
    },
    [link, generation],
  );

  const noteActivity = (): void => {
    freshness.touched();
    if (!isWaiting(latest.current) || now() - lastActivity.current < activityInterval) return;
    lastActivity.current = now();
    void send({ command: 'still-there' });
  };

  return (
    <WordsProvider value={words}>
      <div class="page" onPointerDown={noteActivity} onKeyDown={noteActivity}>
        <Header frame={frame} preferences={preferences} prefer={prefer} send={send} />
        {screenOf({ line, leave, visit, send, prefer, claim: () => setClaims(claims + 1) })}
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

/** Nobody asked for it in so many words, and nothing on the screen waits for it. */
const isByTheWay = ({ command }: Wish): boolean => command === 'still-there' || command === 'language';
