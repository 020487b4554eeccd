/**
 * From a reader's bytes to badges, for every reader that sends text: frames by `framing.ts`, floods by `flood.ts`, repeated
 * reads by `debounce.ts`. What was read before a reader went still counts after it came back, but no half frame does.
 */
import { milliseconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import { normaliseCard } from '../../domain/card/card-number.ts';
import type { CardReaderEvents } from '../../domain/ports/readers.ts';
import { createDebounce } from './debounce.ts';
import { createFloodGate } from './flood.ts';
import type { Frame, FramingRule } from './framing.ts';
import { createFraming } from './framing.ts';
import type { SignalCommands } from './reader-signals.ts';

/** So soon a reader answers a command, if it does at all; a prompt (`RF IDeas>`) is no badge and ends no line. */
const answerTime = milliseconds(200);
/** So often in a silence the time comes round to us. Who is busy all the while hears nothing, and that is no silence. */
const looksInSilence = 4;

/** What every reader of text is opened with, wherever its bytes come from. */
export interface TextReaderDeps extends Pick<Env, 'clock' | 'log'> {
  readonly name: string;
  readonly framing: FramingRule;
  /** For readers that take commands: what is written for each signal. */
  readonly signals?: SignalCommands | undefined;
  readonly events: CardReaderEvents;
}

/** Of one opening of the device. */
export interface BadgeIntake {
  push(bytes: Uint8Array): void;
  /** A command was sent: what comes directly after it is the reader's answer. */
  answerFollows(): void;
  /** A frame that only a silence would have ended is none any more. */
  close(): void;
}

/** The answer opens an intake, one for each opening of the device. What has fewer than `shortest` characters is garbage. */
export function createBadgeIntake(
  options: TextReaderDeps & { readonly shortest?: number },
): () => BadgeIntake {
  const { name, clock, log, events, shortest = 1 } = options;
  const debounce = createDebounce();
  const flood = createFloodGate();

  function take(frame: Frame, at: number): void {
    if (flood.isFlood(at)) return events.onFrame('flood');
    const isWhole = frame.kind === 'text' && frame.text.length >= shortest;
    const card = isWhole ? normaliseCard(frame.text) : undefined;
    if (!card) return events.onFrame('garbage');
    const verdict = debounce.judge(card, at);
    events.onFrame(verdict);
    if (verdict === 'accepted') events.onCard({ reader: name, card });
    if (verdict === 'second-card') log.info('second card ignored', { reader: name });
  }

  return () => {
    const framing = createFraming(options.framing);
    const { silence } = framing;
    let timer: unknown;
    let heardAt = Number.NEGATIVE_INFINITY;
    let answersUntil = Number.NEGATIVE_INFINITY;

    const stopListening = (): void => {
      clock.clearTimeout(timer);
      timer = undefined;
    };
    const listenForSilence = ({ span, end }: NonNullable<typeof silence>, looks = looksInSilence): void => {
      timer = clock.setTimeout(() => {
        if (looks > 1) return listenForSilence({ span, end }, looks - 1);
        timer = undefined;
        for (const frame of end()) take(frame, clock.monotonic());
      }, span / looksInSilence);
    };

    return {
      push(bytes) {
        const at = clock.monotonic();
        if (at < answersUntil) return framing.missed(at);
        if (silence && timer !== undefined && at - heardAt >= silence.span) {
          framing.missed(at);
          events.onFrame('garbage');
        }
        stopListening();
        heardAt = at;
        for (const frame of framing.push(bytes, at)) take(frame, at);
        if (silence) listenForSilence(silence);
      },
      answerFollows() {
        const at = clock.monotonic();
        stopListening();
        framing.missed(at);
        answersUntil = at + answerTime;
      },
      close: stopListening,
    };
  };
}
