/**
 * The whole page: it gets frames, picks the screen, and keeps a person's settings until they leave. A screen lives as
 * long as its generation (INVARIANTS.md D2, I3). Everything that was typed, ticked and shown disappears with it.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { now } from '../../listener/page/clock.ts';
import { useFreshness } from './freshness.ts';
import type { Words } from './languages/words.ts';
import { useWordsOf, WordsProvider } from './languages/words.ts';
import { useLeaveTaking } from './leave-taking.ts';
import { useLook } from './look.ts';
import { Announcer } from './parts/announcer.tsx';
import { Header } from './parts/header.tsx';
import { apply, languageOf } from './preferences.ts';
import { useSaying } from './saying.ts';
import { screenOf } from './screens/screen-of.tsx';
import { createSounds, signalOf } from './signals.ts';
import type { TerminalLink } from './terminal-link.ts';
import { spokenOf } from './words/announcement.ts';
import type { Line } from './words/line.ts';
import { frameOf, isIdle, isWaiting } from './words/line.ts';
import { createPressed } from './pressed.ts';
import { useReadAloud } from './words/read-aloud.ts';
import { hush } from './words/speech.ts';

const activityInterval = 5_000;

interface AppProps {
  readonly link: TerminalLink;
  /** In the browser's own language, or in English if that did not load. */
  readonly words: Words;
}

export function App({ link, words: first }: AppProps) {
  const [line, setLine] = useState<Line>('connecting');
  /** How often this window has claimed the screen, and how often a person has left the idle screen. */
  const [claims, setClaims] = useState(0);
  const [visit, setVisit] = useState(0);
  const frame = frameOf(line);
  const latest = useRef<Line>('connecting');
  const lastActivity = useRef(0);
  const play = useMemo(createSounds, []);
  const look = useLook();
  const leaving = useLeaveTaking(look);
  const { preferences, prefer } = leaving;
  const pressed = useMemo(createPressed, []);
  const { send, keepTask, apology, forgive } = useSaying({
    link,
    until: pressed.until,
    generation: frame?.generation,
    latest,
    show: setLine,
  });
  const freshness = useFreshness({
    isIdle: isIdle(line),
    patience: frame?.typingSeconds,
    onLeft() {
      leaving.forget();
      setVisit((before) => before + 1);
    },
  });

  function hear(content: Line): void {
    const isNews = content !== latest.current;
    const before = frameOf(latest.current);
    const next = frameOf(content);
    latest.current = content;
    if (before?.generation !== next?.generation) {
      hush();
      forgive();
      leaving.end();
    }
    if (next) {
      const signal = signalOf(before, next);
      if (signal) play(signal);
      leaving.follow(before, next);
    } else if (isNews) {
      // Each failed attempt to connect says "lost" again, but a language that was chosen meanwhile stays.
      freshness.wasAway();
      leaving.forget();
    }
    const isOld = next !== undefined && before?.generation === next.generation;
    setLine((known) => {
      if (known === 'leaving' && isOld) return known;
      return known === 'connecting' && content === 'lost' ? known : content;
    });
  }
  useEffect(() => link.watch({ onBuild: freshness.onBuild, onContent: hear }), [link, claims]);

  const spokenTo = line === 'leaving' ? frameOf(latest.current) : frame;
  const language = languageOf(preferences, spokenTo?.language, look);
  const words = useWordsOf({ language, choice: preferences, first, currency: frame?.currency });
  useEffect(() => apply(preferences, words), [preferences, words]);
  const { farewell, leave } = leaving.at(frame);
  const announcement = spokenOf(leave === undefined || leave === 'not-all' ? line : leave, words);
  useReadAloud({ isOn: preferences.spoken, announcement, words, onToggle: leaving.toggleSpoken });

  const noteActivity = (): void => {
    freshness.touched();
    if (!isWaiting(latest.current) || now() - lastActivity.current < activityInterval) return;
    lastActivity.current = now();
    void send({ command: 'still-there' });
  };

  return (
    <WordsProvider value={words}>
      <div class="page" onPointerDown={noteActivity} onKeyDown={noteActivity} onClickCapture={pressed.press}>
        <Header frame={frame} preferences={preferences} prefer={prefer} send={send} />
        {screenOf({
          line,
          link,
          farewell,
          visit,
          send,
          keepTask,
          prefer,
          claim: () => setClaims(claims + 1),
        })}
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
