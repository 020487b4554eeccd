/** The readers of one terminal, opened as the configuration says, and what is known of each. */
import type { TerminalConfig } from './config/schema.ts';
import type { Clock } from './core/clock.ts';
import { seconds } from './core/duration.ts';
import type { Log } from './core/log.ts';
import type { Service } from './core/service.ts';
import type { CardNumber } from './domain/card.ts';
import type { CardReader, CardReaderEvents } from './domain/ports/readers.ts';
import type { Problem } from './domain/problem.ts';
import { openSerialReader } from './readers/serial.ts';

type ReaderState = 'up' | 'down';

export interface StationReaders {
  readonly services: readonly Service[];
  states(): readonly { readonly name: string; readonly state: ReaderState }[];
  /** At least one reader is up, or the terminal has none at all. */
  canRead(): boolean;
  /** Resolves when every reader is known to be up or down; after 2 s in any case. */
  settled(): Promise<void>;
}

const patience = seconds(2);

export function openReaders(
  config: TerminalConfig,
  dependencies: {
    readonly clock: Clock;
    readonly log: Log;
    onCard(card: CardNumber): void;
    /** `problem` is there when the reader went down. */
    onState(reader: string, state: ReaderState, problem?: Problem): void;
  },
): StationReaders {
  const { clock, log } = dependencies;
  const up = new Set<string>();
  const firstWords: Promise<void>[] = [];

  const eventsOf = (name: string, tell: () => void): CardReaderEvents => ({
    onCard: ({ card }) => {
      log.info('card read', { reader: name });
      dependencies.onCard(card);
    },
    onUp: () => {
      up.add(name);
      tell();
      dependencies.onState(name, 'up');
    },
    onDown: (problem) => {
      up.delete(name);
      tell();
      dependencies.onState(name, 'down', problem);
    },
    onGarbage: () => log.debug('garbage read', { reader: name }),
  });

  const readers: CardReader[] = config.readers.map((reader) => {
    // Other types do not pass the check of the configuration (`not-built-yet.ts`).
    if (reader.type !== 'serial') throw new Error(`a reader of type ${reader.type} cannot be opened`);
    const { path: name, path, baudRate } = reader;
    const { promise, resolve } = Promise.withResolvers<void>();
    firstWords.push(promise);
    return openSerialReader({ path, baudRate, name, clock, log, events: eventsOf(name, resolve) });
  });

  return {
    services: readers,
    states: () => readers.map(({ name }) => ({ name, state: up.has(name) ? 'up' : 'down' })),
    settled: async () => void (await Promise.race([Promise.all(firstWords), clock.sleep(patience)])),
    canRead: () => readers.length === 0 || up.size > 0,
  };
}
