/**
 * The light and the beeper of a reader that takes commands on its data line. The commands come from the configuration
 * and are not interpreted. A command that cannot be sent at once is dropped: a late beep misleads, and a reader that
 * does not read must not fill the memory (I8).
 */
import type { Writable } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { ReaderSignal } from '../../domain/ports/readers.ts';

/** The text for each signal. Each character is one byte (ISO 8859-1). */
export type SignalCommands = { readonly [Signal in ReaderSignal]?: string | undefined };

const mostAtOnce = 4;
const span = seconds(1);
/** Limit of bytes that wait for the reader: two of the longest commands. */
const mostWaiting = 512;

/** One opening of the device. */
export interface SignalLine {
  readonly stream: Writable;
  /** Called for each command, because bytes directly after it are not a badge. */
  readonly intake: { answerFollows(): void };
}

export interface Signaller {
  signal(what: ReaderSignal): void;
  /** Sends signals into this line until the returned function is called. */
  connect(line: SignalLine): () => void;
}

export function createSignaller({
  commands = {},
  clock,
}: {
  readonly commands: SignalCommands | undefined;
  readonly clock: Clock;
}): Signaller {
  let current: SignalLine | undefined;
  let sentAt: readonly number[] = [];

  return {
    signal(what) {
      const command = commands[what];
      const at = clock.monotonic();
      sentAt = sentAt.filter((moment) => at - moment < span);
      if (command === undefined || !current || sentAt.length >= mostAtOnce) return;
      const { stream, intake } = current;
      if (!stream.writable || stream.writableLength + command.length > mostWaiting) return;
      sentAt = [...sentAt, at];
      intake.answerFollows();
      stream.write(Buffer.from(command, 'latin1'));
    },
    connect(line) {
      current = line;
      return () => {
        if (current === line) current = undefined;
      };
    },
  };
}
