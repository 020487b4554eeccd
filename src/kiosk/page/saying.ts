/** The commands of a person to the terminal, in answer to the screen, and the words for a command that failed. */
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { after } from '../../listener/page/clock.ts';
import type { Pressed } from './pressed.ts';
import type { KeepTask, ScreenProps } from './screen.ts';
import type { TerminalLink, Wish } from './terminal-link.ts';
import type { Line } from './words/line.ts';
import { frameOf } from './words/line.ts';

const apologyTime = 6_000;

export type Apology = 'notPossible' | 'notSent';

export function useSaying({
  link,
  until,
  generation,
  latest,
  show,
}: {
  readonly link: TerminalLink;
  readonly until: Pressed['until'];
  /** The generation of the screen. */
  readonly generation: number | undefined;
  readonly latest: RefObject<Line>;
  show(line: Line): void;
}) {
  const [apology, setApology] = useState<Apology>();
  const waitingTask = useRef<Parameters<KeepTask>[0]>(undefined);
  useEffect(() => apology && after(apologyTime, () => setApology(undefined)), [apology]);
  const send = useMemo<ScreenProps['send']>(
    () => async (wish) => {
      const isShown = () => generation !== undefined && frameOf(latest.current)?.generation === generation;
      // The person who gave the command has left.
      if (!isShown()) return 'not-possible';
      if (wish.command === 'log-out') show('leaving');
      if (leavesTheList(wish)) await waitingTask.current?.();
      const sent = await until(link.send(generation ?? 0, wish));
      if (sent !== 'done' && isShown() && !isIncidental(wish)) {
        show(latest.current);
        setApology(sent === 'not-possible' ? 'notPossible' : 'notSent');
      }
      return sent;
    },
    [link, generation],
  );
  const keepTask: KeepTask = (task) => {
    waitingTask.current = task;
  };
  return { send, keepTask, apology, forgive: () => setApology(undefined) };
}

const leavesTheList = ({ command }: Wish): boolean => command === 'log-out' || command === 'open-account';

/** The person did not give this command explicitly, and nothing on the screen waits for it. */
const isIncidental = ({ command }: Wish): boolean => command === 'still-there' || command === 'language';
