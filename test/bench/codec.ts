/**
 * The IPP codec on a printer's answer as it was captured: 9 KB to Get-Printer-Attributes, read, and written again.
 * Beside it @sealsystems/ipp, turn about. It throws at one attribute that it has read and drops others when it writes,
 * so its writing is also told for as many octets as there are.
 */
import { readFileSync } from 'node:fs';
import ipp from '@sealsystems/ipp';
import { decodeMessage } from '../../src/ipp/decode.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import type { Measurement } from './figures.ts';
import { inMicroseconds, percentile, ratio } from './figures.ts';

const rounds = 200;
const warmUps = 40;
/** Codings a turn: one alone is too short for the clock. */
const turns = 25;

interface Codec {
  read(octets: Buffer): unknown;
  /** Writes what was read; gives the octets. */
  write(): Buffer;
}

/** p50, in milliseconds. */
interface Spans {
  readonly read: number;
  readonly write: number;
}

export function measureCodec(): Measurement {
  const octets = readFileSync(
    new URL('../ipp/fixtures/get-printer-attributes-response.bin', import.meta.url),
  );
  const platen = codecOfPlaten(octets);
  const peer = codecOfPeer(octets);
  if (!platen.write().equals(octets)) throw new Error('what was written is not what was read');
  const { ours, theirs } = measure(octets, platen, peer);
  const written = peer.write().length;
  const evened = { read: theirs.read, write: (theirs.write * octets.length) / written };

  const both = ({ read, write }: Spans) => read + write;
  const row = (what: string, spans: Spans) => [
    what,
    ...[spans.read, spans.write, both(spans)].map(inMicroseconds),
  ];
  const times = (what: string, beside: Spans) => [
    what,
    ratio(beside.read, ours.read),
    ratio(beside.write, ours.write),
    ratio(both(beside), both(ours)),
  ];
  return {
    title: `IPP: ${octets.length} octets of a printer's answer, read and written`,
    how:
      `p50 of ${rounds} turns of ${turns} each, turn about. Beside it @sealsystems/ipp 2.8.2, which writes ${written} ` +
      'octets of what it has read.',
    rows: [
      ['', 'read', 'write', 'both'],
      row('@sealsystems/ipp', theirs),
      row('the same, for as many octets', evened),
      row('platen', ours),
      times('times as fast', theirs),
      times('times as fast, octet for octet', evened),
    ],
    goals: [{ what: 'octet for octet', figure: both(evened) / both(ours), atLeast: 5, unit: '×' }],
  };
}

function measure(octets: Buffer, platen: Codec, peer: Codec): { ours: Spans; theirs: Spans } {
  const spans = new Map([platen, peer].map((codec) => [codec, { read: [0], write: [0] }]));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [codec, { read, write }] of spans) {
      read[Math.max(0, round)] = turn(() => codec.read(octets));
      write[Math.max(0, round)] = turn(() => codec.write());
    }
  }
  const medians = (codec: Codec): Spans => {
    const { read = [], write = [] } = spans.get(codec) ?? {};
    return { read: percentile(read, 0.5), write: percentile(write, 0.5) };
  };
  return { ours: medians(platen), theirs: medians(peer) };
}

/** Milliseconds for one. */
function turn(work: () => unknown): number {
  const since = performance.now();
  for (let count = 0; count < turns; count += 1) work();
  return (performance.now() - since) / turns;
}

function codecOfPlaten(octets: Buffer): Codec {
  const { message } = decodeMessage(octets);
  return { read: decodeMessage, write: () => encodeMessage(message) };
}

/** Without the attributes that it throws at when it writes them. */
function codecOfPeer(octets: Buffer): Codec {
  const message = ipp.parse(octets);
  const group = 'printer-attributes-tag';
  const writable = Object.entries(message[group] ?? {}).filter(([name, value]) => {
    try {
      ipp.serialize({ ...message, [group]: { [name]: value } });
      return true;
    } catch {
      return false;
    }
  });
  const lean = { ...message, [group]: Object.fromEntries(writable) };
  return { read: (answer) => ipp.parse(answer), write: () => ipp.serialize(lean) };
}
