/**
 * The IPP codec on a printer's answer as it was captured: 9 KB to Get-Printer-Attributes, read, and written again.
 * Beside it @sealsystems/ipp, turn about. It throws at one attribute that it has read and drops others when it writes,
 * so platen writes twice: the whole answer, and the very octets that the other one writes.
 */
import { readFileSync } from 'node:fs';
import ipp from '@sealsystems/ipp';
import { decodeMessage } from '../../src/ipp/decode.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import type { Measurement } from './figures.ts';
import { inMicroseconds, percentile, ratio } from './figures.ts';

const rounds = 200;
/** All that is measured is compiled for good by then. */
const warmUps = 300;
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
  const peer = codecOfPeer(octets);
  const writtenByPeer = peer.write();
  const whole = codecOfPlaten(octets);
  const same = codecOfPlaten(writtenByPeer);
  if (!whole.write().equals(octets) || !same.write().equals(writtenByPeer)) {
    throw new Error('what was written is not what was read');
  }
  const [theirs, ours, oursOfSame] = measure(octets, [peer, whole, same]);
  return {
    title: `IPP: ${octets.length} octets of a printer's answer, read and written`,
    how:
      `p50 of ${rounds} turns of ${turns} each, turn about. All read the whole answer. @sealsystems/ipp 2.8.2 writes ` +
      `${writtenByPeer.length} octets of what it has read, platen all; below it the same ${writtenByPeer.length}.`,
    rows: [
      ['', 'read', 'write', 'both'],
      row('@sealsystems/ipp', theirs),
      row('platen', ours),
      row('platen, writing the same octets', oursOfSame),
      times('times as fast', theirs, ours),
      times('times as fast, writing the same octets', theirs, oursOfSame),
    ],
    goals: [
      {
        what: 'all read, the same octets written',
        figure: both(theirs) / both(oursOfSame),
        atLeast: 5,
        unit: '×',
      },
    ],
  };
}

const both = ({ read, write }: Spans): number => read + write;

const row = (what: string, spans: Spans): readonly string[] => [
  what,
  ...[spans.read, spans.write, both(spans)].map(inMicroseconds),
];

const times = (what: string, theirs: Spans, ours: Spans): readonly string[] => [
  what,
  ratio(theirs.read, ours.read),
  ratio(theirs.write, ours.write),
  ratio(both(theirs), both(ours)),
];

type Three<One> = readonly [One, One, One];

function measure(octets: Buffer, [one, two, three]: Three<Codec>): Three<Spans> {
  const spans = new Map([one, two, three].map((codec) => [codec, { read: [0], write: [0] }]));
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
  return [medians(one), medians(two), medians(three)];
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
