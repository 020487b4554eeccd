/**
 * Turns the bytes of a text reader into badges: `framing.ts` cuts frames, `debounce.ts` finds floods and repeated reads.
 * The debounce state survives a reconnect of the reader, but a half frame does not.
 */
import { milliseconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import { normaliseCard } from '../../domain/card/card-number.ts';
import type { CardReaderEvents } from '../../domain/ports/readers.ts';
import { createDebounce, createFloodGate } from './debounce.ts';
import type { Frame, FramingRule } from './framing.ts';
import { createFraming } from './framing.ts';
import type { SignalCommands } from './reader-signals.ts';

/**
 * A reader answers a command within this time, if at all. A prompt (`RF IDeas>`) is not a badge and does not end a
 * line.
 */
const answerTime = milliseconds(200);
/**
 * The silence is measured in so many timer steps. A blocked event loop delays them, so it does not count as silence.
 */
const looksInSilence = 4;

/** The options of every text reader, whatever its connection is. */
export interface TextReaderDeps extends Pick<Env, 'clock' | 'log'> {
  readonly name: string;
  readonly framing: FramingRule;
  /** For readers that take commands: the command for each signal. */
  readonly signals?: SignalCommands | undefined;
  readonly events: CardReaderEvents;
}

/** The intake of one opening of the device. */
export interface BadgeIntake {
  push(bytes: Uint8Array): void;
  /** The agent sent a command. The bytes that follow directly are the reader's answer. */
  answerFollows(): void;
  /** A pending frame that only a silence would have ended is dropped. */
  close(): void;
}

/**
 * The returned function opens an intake. Call it for each opening of the device. A frame shorter than `shortest` is
 * garbage.
 */
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
