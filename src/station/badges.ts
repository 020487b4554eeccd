/**
 * What happens to the badges of one terminal: each goes, in the form the service knows, to the terminal or to the service
 * itself, and what came of it to the light and beeper of the reader where it was held.
 */
import type { ReaderConfig } from '../config/schema/reader.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { CardFormat } from '../domain/card/format.ts';
import type { Conditions } from '../domain/condition.ts';
import type { CardRead, ReaderSignal } from '../domain/ports/readers.ts';
import type { CardRelay } from '../domain/ports/service.ts';
import type { Terminal } from '../terminal/runner.ts';
import type { Metrics } from '../operations/metrics.ts';
import { stationCards, stationRemovals } from './cards.ts';
import { createStationRelay } from './relay.ts';
import { stationSignals } from './signals.ts';

export interface StationBadges extends Disposable {
  onCard(read: CardRead): void;
  onRemoved(read: CardRead): void;
  /** To the person whose card that was. */
  signal(signal: ReaderSignal, card: CardNumber): void;
}

export function createStationBadges(world: {
  /** As configured. */
  readonly readers: readonly ReaderConfig[];
  readonly terminal: Terminal;
  format(): CardFormat;
  relay(): CardRelay;
  signalAt(reader: string, signal: ReaderSignal): void;
  readonly metrics: Pick<Metrics, 'cardUnreadable' | 'cardRelayed'>;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly log: Log;
}): StationBadges {
  const { terminal, metrics, conditions, clock, log } = world;
  const signals = stationSignals({ signal: world.signalAt });
  const relay = createStationRelay({
    ...{ readers: world.readers, terminal, signals, clock, log },
    relay: () => world.relay(),
    onOutcome: (reader, outcome) => metrics.cardRelayed({ terminal: terminal.id, reader, outcome }),
  });
  return {
    onCard: stationCards({
      ...{ terminal, signals, relay, conditions, log },
      format: () => world.format(),
      onUnreadable(reader) {
        metrics.cardUnreadable({ terminal: terminal.id, reader });
        world.signalAt(reader, 'refused');
      },
    }),
    onRemoved: stationRemovals({ terminal, format: () => world.format() }),
    signal: (signal, card) => signals.tell(signal, card),
    [Symbol.dispose]: () => relay[Symbol.dispose](),
  };
}
