/** The metrics of the card readers: whether each is open, its frames, and the results of its badges. */
import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';
import type { FrameVerdict } from '../domain/ports/readers.ts';
import { frameVerdicts } from '../domain/ports/readers.ts';
import type { RelayOutcome } from '../domain/relay-outcome.ts';
import { relayOutcomes } from '../domain/relay-outcome.ts';

export interface ReaderMetrics {
  readerIs(reader: { terminal: string; reader: string; state: 'up' | 'down' }): void;
  readerFrame(frame: { terminal: string; reader: string; verdict: FrameVerdict }): void;
  cardUnreadable(card: { terminal: string; reader: string }): void;
  cardRelayed(card: { terminal: string; reader: string; outcome: RelayOutcome }): void;
  add(terminal: string, readers: readonly string[]): void;
  drop(terminal: string, readers: readonly string[]): void;
}

const labelNames = ['terminal', 'reader'] as const;

const seriesIn = (registers: Registry[]) => ({
  up: new Gauge({
    name: 'platen_reader_up',
    help: '1 while the card reader is open.',
    labelNames,
    registers,
  }),
  openings: new Counter({
    name: 'platen_reader_openings_total',
    help: 'How often the card reader was opened. More than once means that it was away.',
    labelNames,
    registers,
  }),
  cardsUnreadable: new Counter({
    name: 'platen_cards_unreadable_total',
    help: 'Card numbers that do not fit the card rule.',
    labelNames,
    registers,
  }),
  cardsRelayed: new Counter({
    name: 'platen_cards_relayed_total',
    help: 'Badges forwarded to the print service for printing, by outcome.',
    labelNames: [...labelNames, 'outcome'],
    registers,
  }),
  frames: new Counter({
    name: 'platen_reader_frames_total',
    help: 'Frames that the card reader sent, by verdict.',
    labelNames: [...labelNames, 'verdict'],
    registers,
  }),
});

export function createReaderMetrics(registers: Registry[]): ReaderMetrics {
  const { up, openings, cardsUnreadable, cardsRelayed, frames } = seriesIn(registers);

  function addReader(terminal: string, reader: string): void {
    up.set({ terminal, reader }, 0);
    openings.inc({ terminal, reader }, 0);
    cardsUnreadable.inc({ terminal, reader }, 0);
    for (const outcome of relayOutcomes) cardsRelayed.inc({ terminal, reader, outcome }, 0);
    for (const verdict of frameVerdicts) frames.inc({ terminal, reader, verdict }, 0);
  }

  function dropReader(terminal: string, reader: string): void {
    for (const series of [up, openings, cardsUnreadable]) series.remove({ terminal, reader });
    for (const outcome of relayOutcomes) cardsRelayed.remove({ terminal, reader, outcome });
    for (const verdict of frameVerdicts) frames.remove({ terminal, reader, verdict });
  }

  return {
    readerIs({ terminal, reader, state }) {
      up.set({ terminal, reader }, state === 'up' ? 1 : 0);
      if (state === 'up') openings.inc({ terminal, reader });
    },
    readerFrame: (frame) => frames.inc(frame),
    cardUnreadable: (card) => cardsUnreadable.inc(card),
    cardRelayed: (card) => cardsRelayed.inc(card),
    add: (terminal, readers) => {
      for (const reader of readers) addReader(terminal, reader);
    },
    drop: (terminal, readers) => {
      for (const reader of readers) dropReader(terminal, reader);
    },
  };
}
