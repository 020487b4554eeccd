/** A document that is read while it comes in, over as many downloads as it takes (INVARIANTS.md B.4, 5 Download). */
import { createHash } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import type { DocumentSource, SpooledDocument } from '../../../src/domain/ports/printing.ts';
import type { Download } from '../../../src/domain/ports/service.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';
import { openSpool } from '../../../src/printing/spool/spool.ts';
import { pdfOf, temporaryDirectory } from '../../support/printer/samples.ts';
import { eventually, withoutLimit } from '../../support/patience.ts';

const mebibyte = 1024 * 1024;
const cut = new Problem('document-cut', 'the service hung up', { delivery: 'perhaps' });

/** One download of the service: bytes from there on, in chunks of that size, broken off after so many. */
interface Leg {
  readonly from: 'rest' | 'start';
  readonly chunk: number;
  /** Octets before the cut; all of them unless said. */
  readonly cutAfter?: number;
  /** What the service has by then; the same document unless said. */
  readonly bytes?: Buffer;
}

interface Service extends DocumentSource {
  /** How much the agent had, each time the download was to go on. */
  readonly resumed: number[];
  readonly streams: Readable[];
}

/** Gives a leg a download, in order; after the last one it gives no more. */
function service(document: Buffer, legs: readonly Leg[]): Service {
  const resumed: number[] = [];
  const streams: Readable[] = [];
  const next = (received: number): Download => {
    const leg = legs[streams.length];
    if (leg === undefined) throw cut;
    const { bytes = document, cutAfter = Infinity } = leg;
    const from = leg.from === 'rest' ? received : 0;
    const stream = Readable.from(pieces(bytes.subarray(from), leg.chunk, cutAfter), { objectMode: false });
    streams.push(stream);
    return { length: bytes.length, from, bytes: stream };
  };
  return {
    resumed,
    streams,
    begin: async () => next(0),
    async resume({ received }) {
      resumed.push(received);
      return next(received);
    },
  };
}

function* pieces(bytes: Buffer, chunk: number, cutAfter: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunk) {
    if (at >= cutAfter) throw cut;
    yield bytes.subarray(at, Math.min(at + chunk, cutAfter));
  }
}

async function spoolOf(handedOnAfter = 8 * mebibyte, inMemory = 0) {
  const directory = temporaryDirectory();
  const spool = await openSpool({ directory, chance: systemChance, handedOnAfter, inMemory });
  onTestFinished(() => spool[Symbol.dispose]());
  return { directory, spool };
}

const received = async (source: DocumentSource, handedOnAfter?: number): Promise<SpooledDocument> =>
  (await spoolOf(handedOnAfter)).spool.receive(source, withoutLimit());

/** Fed by hand. */
function fedSource(length: number): { source: DocumentSource; bytes: Readable } {
  const bytes = new Readable({ read: () => {} });
  const resume = async ({ problem }: { problem: Problem }) => {
    throw problem;
  };
  return { bytes, source: { begin: async () => ({ length, bytes }), resume } };
}

const openFiles = (directory: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd)).startsWith(directory);
    } catch {
      return false;
    }
  }).length;

describe('a document that is still coming in', () => {
  it('is handed on when 8 MiB of it are here, and read to its end when it is whole', async () => {
    const bytes = pdfOf(12 * mebibyte);
    const { source, bytes: feed } = fedSource(bytes.length);
    const { spool } = await spoolOf();
    let isHandedOn = false;
    const coming = spool.receive(source, withoutLimit()).finally(() => (isHandedOn = true));
    feed.push(bytes.subarray(0, 8 * mebibyte - 1));
    await eventually(() => expect(feed.readableLength).toBe(0));
    expect(isHandedOn).toBe(false);
    feed.push(bytes.subarray(8 * mebibyte - 1, 8 * mebibyte));
    const document = await coming;
    expect([document.length, document.format, document.digest()]).toEqual([
      bytes.length,
      'application/pdf',
      undefined,
    ]);
    const seen: Buffer[] = [];
    const reading = (async () => {
      for await (const block of document.read()) seen.push(Buffer.from(block));
    })();
    feed.push(bytes.subarray(8 * mebibyte, -1));
    await eventually(() => expect(Buffer.concat(seen).length).toBeGreaterThan(11 * mebibyte));
    // The last block is held back until the last octet is here.
    expect(bytes.length - Buffer.concat(seen).length).toBeGreaterThan(100_000);
    feed.push(bytes.subarray(-1));
    feed.push(null);
    await document.whole(withoutLimit());
    await reading;
    expect(Buffer.concat(seen).equals(bytes)).toBe(true);
    expect(document.digest()).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect((await buffer(document.read())).equals(bytes)).toBe(true);
  });

  const wrong = Buffer.from('\u001b%-12345X@PJL FSDELETE NAME="0:\\x"\r\n', 'latin1');
  const middle = 10 * mebibyte;
  const good = pdfOf(12 * mebibyte);
  const commanding = Buffer.concat([good.subarray(0, middle), wrong, good.subarray(middle)]);
  const program = Buffer.from('\u001b%-12345X%!PS\n0 exitserver\n', 'latin1');
  const lasting = Buffer.concat([good.subarray(0, middle), program, good.subarray(middle)]);

  it.each([
    ['turns out to be cut', good.subarray(0, -100), 'document-damaged', 100_000],
    ['turns out to hold a printer command', commanding, 'document-not-printable', 2 * mebibyte],
    ['turns out to hide another one', lasting, 'document-not-printable', 2 * mebibyte],
  ])('and %s is broken off before the reader has the last of it', async (_, bytes, code, withheld) => {
    const document = await received(service(bytes, [{ from: 'start', chunk: 60_000 }]));
    const seen: Buffer[] = [];
    const reading = (async () => {
      for await (const block of document.read()) seen.push(Buffer.from(block));
    })();
    await expect(reading).rejects.toMatchObject({ code });
    await expect(document.whole(withoutLimit())).rejects.toMatchObject({ code });
    const given = Buffer.concat(seen);
    expect(bytes.length - given.length).toBeGreaterThan(withheld - 100);
    expect(['FSDELETE', 'exitserver'].filter((word) => given.includes(word))).toEqual([]);
  });

  it('is not handed on where it is PostScript: what it asks of the printer is known at its end', async () => {
    const bytes = Buffer.from(`%!PS\n${'% filling\n'.repeat(1_000_000)}0 exitserver\n`);
    const document = await received(service(bytes, [{ from: 'start', chunk: 65_536 }]));
    expect(document.digest()).toBeDefined();
    expect(document.holds('hidden-program')).toBe(true);
  });

  it('waits on the disk, not in memory, for a reader that comes late or never', async () => {
    const bytes = pdfOf(12 * mebibyte);
    const from = service(bytes, [{ from: 'start', chunk: 65_536 }]);
    const document = await received(from);
    await document.whole(withoutLimit());
    expect((await buffer(document.read())).equals(bytes)).toBe(true);
  });

  it.each([
    ['of 8 MiB and less', 8 * mebibyte, 8 * mebibyte],
    ['that was not announced', 12 * mebibyte, undefined],
  ])('%s is handed on whole', async (_, size, length) => {
    const { source, bytes } = fedSource(size);
    const { spool } = await spoolOf();
    const coming = spool.receive(
      { ...source, begin: async () => ({ ...(await source.begin(withoutLimit())), length }) },
      withoutLimit(),
    );
    bytes.push(pdfOf(size));
    bytes.push(null);
    expect((await coming).digest()).toBeDefined();
  });
});

describe('a document that passes through memory', () => {
  /** Feeds and reads a mebibyte at a time; the reader is at most so many behind. */
  async function passing(size: number, lag: number) {
    const bytes = pdfOf(size * mebibyte);
    const { source, bytes: feed } = fedSource(bytes.length);
    const { directory, spool } = await spoolOf(8 * mebibyte, 32 * mebibyte);
    const coming = spool.receive(source, withoutLimit());
    const given = (from: number, to: number) => feed.push(bytes.subarray(from * mebibyte, to * mebibyte));
    given(0, lag);
    const document = await coming;
    const seen: Buffer[] = [];
    let length = 0;
    let fed = lag;
    let mostFiles = 0;
    for await (const block of document.read()) {
      seen.push(Buffer.from(block));
      length += block.length;
      // It is lent until the next one is asked for, and then filled anew.
      block.fill(0);
      for (; fed < size && length / mebibyte > fed - lag; fed += 1) given(fed, fed + 1);
      if (fed === size && !feed.readableEnded) feed.push(null);
      mostFiles = Math.max(mostFiles, openFiles(directory));
    }
    return { document, isRight: Buffer.concat(seen).equals(bytes), mostFiles };
  }

  it('is written to no disk where the printer keeps up, however large it is (I4, I8)', async () => {
    expect(await passing(40, 9)).toMatchObject({ isRight: true, mostFiles: 0 });
  });

  it('goes to the disk where the printer falls behind, and comes out as it came', async () => {
    expect(await passing(40, 20)).toMatchObject({ isRight: true, mostFiles: 1 });
  });

  it('is read again from its start while little of it has been read, and later not', async () => {
    const { document } = await passing(20, 9);
    await expect(buffer(document.read())).rejects.toMatchObject({ code: 'document-cut' });

    const { source, bytes: feed } = fedSource(12 * mebibyte);
    const { spool } = await spoolOf(8 * mebibyte, 32 * mebibyte);
    const coming = spool.receive(source, withoutLimit());
    const bytes = pdfOf(12 * mebibyte);
    feed.push(bytes);
    feed.push(null);
    const young = await coming;
    const refused = young.read();
    let read = 0;
    for await (const block of refused) if ((read += block.length) > 2 * mebibyte) break;
    expect((await buffer(young.read())).equals(bytes)).toBe(true);
  });
});

describe('a download that broke off', () => {
  const bytes = pdfOf(1_000_000);
  const first: Leg = { from: 'start', chunk: 10_000, cutAfter: 500_000 };

  it('before the document was handed on is not resumed here', async () => {
    const from = service(bytes, [first, { from: 'rest', chunk: 10_000 }]);
    await expect(received(from, 600_000)).rejects.toMatchObject({ code: 'document-cut' });
    expect(from.resumed).toEqual([]);
  });

  it('goes on where it stopped, and its reader does not notice', async () => {
    const second: Leg = { from: 'rest', chunk: 7000, cutAfter: 300_000 };
    const from = service(bytes, [first, second, { from: 'rest', chunk: 100_000 }]);
    const document = await received(from, 400_000);
    expect((await buffer(document.read())).equals(bytes)).toBe(true);
    expect(from.resumed).toEqual([500_000, 800_000]);
  });

  it('is read once more from its start where there are no parts, also after it broke in what was known', async () => {
    const early: Leg = { from: 'start', chunk: 30_000, cutAfter: 90_000 };
    const from = service(bytes, [first, early, { from: 'start', chunk: 64_000 }]);
    const document = await received(from, 400_000);
    expect((await buffer(document.read())).equals(bytes)).toBe(true);
    expect(from.resumed).toEqual([500_000, 500_000]);
  });

  const another = Buffer.from(bytes);
  another[0] = 0;
  it.each<[string, Leg[], string]>([
    ['comes again with another beginning', [{ from: 'start', chunk: 8000, bytes: another }], 'document-gone'],
    [
      'is of another length by now',
      [{ from: 'start', chunk: 8000, bytes: bytes.subarray(1) }],
      'document-gone',
    ],
    ['comes no more', [], 'document-cut'],
  ])('is given up when the document %s: its reader gets less than all of it', async (_, legs, code) => {
    const from = service(bytes, [first, ...legs]);
    const document = await received(from, 400_000);
    const seen: Buffer[] = [];
    const reading = (async () => {
      for await (const block of document.read()) seen.push(Buffer.from(block));
    })();
    await expect(reading).rejects.toMatchObject({ code });
    await expect(document.whole(withoutLimit())).rejects.toMatchObject({ code });
    expect(document.digest()).toBeUndefined();
    const part = Buffer.concat(seen);
    expect(part.equals(bytes.subarray(0, part.length))).toBe(true);
    expect(part.length).toBeLessThanOrEqual(500_000);
    expect(from.streams.every(({ destroyed }) => destroyed)).toBe(true);
  });
});

describe('a document that is put away while it comes in', () => {
  it('leaves the block that is on its way out as it is, and overwrites it when it comes back (I5)', async () => {
    const bytes = pdfOf(1_000_000);
    const { spool } = await spoolOf(8 * mebibyte, 32 * mebibyte);
    const document = await spool.receive(service(bytes, [{ from: 'start', chunk: 65_536 }]), withoutLimit());
    const reading = document.read()[Symbol.asyncIterator]();
    const { value: lent } = await reading.next();
    document[Symbol.dispose]();
    expect(lent.equals(bytes.subarray(0, lent.length))).toBe(true);
    await expect(reading.next()).rejects.toMatchObject({ code: 'spool-failed' });
    expect(lent.every((octet: number) => octet === 0)).toBe(true);
  });

  it.each([
    ['by who had it', (document: Disposable, _spool: Disposable) => document[Symbol.dispose]()],
    ['with the spool', (_document: Disposable, spool: Disposable) => spool[Symbol.dispose]()],
  ])('%s stops its download and its reader, and leaves nothing open (I8)', async (_, putAway) => {
    const { source, bytes } = fedSource(12 * mebibyte);
    const { directory, spool } = await spoolOf();
    const coming = spool.receive(source, withoutLimit());
    bytes.push(pdfOf(9 * mebibyte));
    const document = await coming;
    const reading = buffer(document.read());
    expect(openFiles(directory)).toBe(1);
    putAway(document, spool);
    await expect(reading).rejects.toMatchObject({ code: 'spool-failed' });
    await expect(document.whole(withoutLimit())).rejects.toMatchObject({ code: 'spool-failed' });
    expect(bytes.destroyed).toBe(true);
    await eventually(() => expect(openFiles(directory)).toBe(0));
  });

  it('is not put away when whoever asked for it has it already', async () => {
    const { source, bytes } = fedSource(12 * mebibyte);
    const { spool } = await spoolOf();
    const asking = new AbortController();
    const coming = spool.receive(source, asking);
    bytes.push(pdfOf(9 * mebibyte));
    const document = await coming;
    asking.abort(new Error('over'));
    bytes.push(pdfOf(3 * mebibyte));
    bytes.push(null);
    await expect(document.whole(withoutLimit())).resolves.toBeUndefined();
  });

  it('is not waited for any longer than its caller wants', async () => {
    const { source, bytes } = fedSource(12 * mebibyte);
    const { spool } = await spoolOf();
    const coming = spool.receive(source, withoutLimit());
    bytes.push(pdfOf(9 * mebibyte));
    const limit = new AbortController();
    const waiting = (await coming).whole(limit);
    limit.abort(new Error('long enough'));
    await expect(waiting).rejects.toThrow('long enough');
  });
});

describe('whatever chunks, cuts and resumptions there are', () => {
  const legs = fc.array(
    fc.record({
      from: fc.constantFrom<Leg['from']>('rest', 'start'),
      chunk: fc.integer({ min: 1000, max: 200_000 }),
      cutAfter: fc.integer({ min: 1, max: 400_000 }),
      isAnother: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    }),
    { maxLength: 6 },
  );

  it.each([
    ['memory', 32 * mebibyte],
    ['a disk', 0],
    ['both', mebibyte],
  ])(
    'through %s the reader gets exactly the document, or an error: never a wrong byte, never too many',
    async (_, room) => {
      const { spool } = await spoolOf(1, room);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 2, max: 400_000 }), legs, async (size, laidOut) => {
          const bytes = pdfOf(400_000).subarray(0, size);
          const another = Buffer.from(bytes);
          another[0] = 0;
          const given = laidOut.map(({ isAnother, ...leg }) =>
            isAnother ? { ...leg, from: 'start' as const, bytes: another } : leg,
          );
          const from = service(bytes, [{ from: 'start', chunk: 50_000, cutAfter: size >> 1 }, ...given]);
          let document: SpooledDocument;
          try {
            document = await spool.receive(from, withoutLimit());
          } catch {
            return;
          }
          const seen: Buffer[] = [];
          let isWhole = true;
          try {
            for await (const block of document.read()) seen.push(Buffer.from(block));
          } catch {
            isWhole = false;
          }
          const got = Buffer.concat(seen);
          expect(got.equals(bytes.subarray(0, got.length))).toBe(true);
          expect(got.length === size).toBe(isWhole);
          document[Symbol.dispose]();
        }),
        { numRuns: 100 },
      );
    },
  );
});
