/**
 * From a reader's bytes to badges, for every reader that sends text: frames by `framing.ts`, floods by `flood.ts`, repeated
 * reads by `debounce.ts`. What was read before a reader went still counts after it came back, but no half frame does.
 */
import type { Clock } from '../core/clock.ts';
import { milliseconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { normaliseCard } from '../domain/card/card-number.ts';
import type { CardReaderEvents } from '../domain/ports/readers.ts';
import { createDebounce } from './debounce.ts';
import { createFloodGate } from './flood.ts';
import type { Frame, FramingRule } from './framing.ts';
import { createFraming } from './framing.ts';
import type { SignalCommands } from './reader-signals.ts';

/** So soon a reader answers a command, if it does at all; a prompt (`RF IDeas>`) is no badge and ends no line. */
const answerTime = milliseconds(200);

/** What every reader of text is opened with, wherever its bytes come from. */
export interface TextReaderOptions {
  readonly name: string;
  readonly framing: FramingRule;
  /** For readers that take commands: what is written for each signal. */
  readonly signals?: SignalCommands | undefined;
  readonly clock: Clock;
  readonly log: Log;
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
  options: TextReaderOptions & { readonly shortest?: number },
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
    let answersUntil = Number.NEGATIVE_INFINITY;
    return {
      push(bytes) {
        const at = clock.monotonic();
        if (at < answersUntil) return;
        for (const frame of framing.push(bytes, at)) take(frame, at);
        if (!silence) return;
        clock.clearTimeout(timer);
        timer = clock.setTimeout(() => {
          for (const frame of silence.end()) take(frame, clock.monotonic());
        }, silence.span);
      },
      answerFollows() {
        answersUntil = clock.monotonic() + answerTime;
      },
      close: () => clock.clearTimeout(timer),
    };
  };
}
