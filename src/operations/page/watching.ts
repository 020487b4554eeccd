/** Asks the agent for one thing again and again while the page is visible, and keeps the last answer. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { every, now } from '../../listener/page/clock.ts';
import type { AgentLink, Said } from './agent-link.ts';

/** Milliseconds. */
const interval = 5_000;

export interface Watched<Answer> {
  readonly answer: Answer | undefined;
  /** The last answer; `undefined` before the first answer. */
  readonly last: Said<Answer>['is'] | undefined;
  /** Whole seconds since the answer. */
  readonly age: number;
  /** The time of the last answer, by the page's clock. */
  readonly heardAt: number;
  askNow(): void;
}

interface Held<Answer> {
  readonly path: string | undefined;
  readonly answer?: Answer;
  readonly heardAt: number;
  readonly last?: Said<Answer>['is'];
}

/** `undefined`: nothing is asked at present. */
export function useWatched<Answer>(link: AgentLink, path: string | undefined): Watched<Answer> {
  const [held, setHeld] = useState<Held<Answer>>({ path, heardAt: now() });
  const [time, setTime] = useState(now);
  const isAsking = useRef(false);
  /** The data may have changed since the question under way was sent. */
  const isAskedAgain = useRef(false);
  const wanted = useRef(path);
  wanted.current = path;

  const ask = useCallback(async () => {
    const asked = wanted.current;
    if (asked === undefined) return;
    if (isAsking.current) {
      isAskedAgain.current = true;
      return;
    }
    isAsking.current = true;
    const said = await link.ask<Answer>(asked);
    isAsking.current = false;
    if (isAskedAgain.current || wanted.current !== asked) {
      isAskedAgain.current = false;
      void ask();
      return;
    }
    const heardAt = now();
    setTime(heardAt);
    setHeld((before) =>
      said.is === 'answer'
        ? { path: asked, answer: said.answer, heardAt, last: said.is }
        : { ...(before.path === asked ? before : { path: asked, heardAt }), last: said.is },
    );
  }, [link]);

  useEffect(() => {
    void ask();
    const look = () => {
      if (!document.hidden && !isAsking.current) void ask();
    };
    document.addEventListener('visibilitychange', look);
    const end = every(interval, () => {
      setTime(now());
      look();
    });
    return () => {
      document.removeEventListener('visibilitychange', look);
      end();
    };
  }, [ask, path]);

  const isOfThis = held.path === path;
  return {
    answer: isOfThis ? held.answer : undefined,
    last: isOfThis ? held.last : undefined,
    heardAt: held.heardAt,
    age: Math.max(0, Math.round((time - held.heardAt) / 1000)),
    askNow: () => void ask(),
  };
}
