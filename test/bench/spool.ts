/**
 * How fast a document goes through the spool: received, hashed and encrypted into its file, and read from it again.
 * Beside it the same blocks written to a plain file and read back, with neither key nor digest.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { systemChance } from '../../src/core/chance.ts';
import { openSpool } from '../../src/printing/spool/spool.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, megabytes, perSecond, ratio } from './figures.ts';

/** What undici hands on at a time. */
const block = Buffer.alloc(64 * 1024, '%PDF-1.4 ');
const blocks = 4096;
const end = Buffer.from('/Type /Page startxref 9 %%EOF\n');
const size = block.length * blocks;

interface Pace {
  /** Bytes a second. */
  readonly received: number;
  readonly given: number;
}

export async function measureSpool(): Promise<Measurement> {
  using directory = temporaryDirectory();
  const plain = await throughFile(join(directory.path, 'plain'));
  const spool = await throughSpool(join(directory.path, 'spool'));
  const row = (what: string, { received, given }: Pace) => [
    what,
    perSecond(megabytes(received), 'MB'),
    perSecond(megabytes(given), 'MB'),
    ratio(received, plain.received),
    ratio(given, plain.given),
  ];
  return {
    title: 'A document through the spool',
    how: `${inMegabytes(size)} in blocks of 64 KiB, in and out again. Beside it a plain file.`,
    rows: [
      ['', 'in', 'out', 'in, to plain', 'out, to plain'],
      row('plain file', plain),
      row('spool, on the disk', spool),
    ],
    goals: [],
  };
}

async function throughSpool(directory: string): Promise<Pace> {
  const spool = await openSpool({ directory, chance: systemChance, inMemory: 0 });
  const { signal } = new AbortController();
  const begun = performance.now();
  using document = await spool.store({ length: size, bytes: Readable.from(source()) }, { signal });
  const between = performance.now();
  let given = 0;
  for await (const chunk of document.read()) given += chunk.length;
  if (given !== size) throw new Error(`${given} of ${size} bytes came out of the spool`);
  return paceOf({ begun, between, ended: performance.now() });
}

async function throughFile(path: string): Promise<Pace> {
  await using file = await open(path, 'w+');
  const begun = performance.now();
  for (const one of source()) await file.write(one);
  const between = performance.now();
  const target = Buffer.alloc(128 * 1024);
  for (let position = 0; position < size; position += target.length) {
    await file.read(target, 0, target.length, position);
  }
  return paceOf({ begun, between, ended: performance.now() });
}

/** Its one page stands at the end, where drivers put it: until there it is looked for. */
const lastBlock = Buffer.concat([block.subarray(0, -end.length), end]);

function* source(): Generator<Buffer> {
  for (let number = 1; number < blocks; number += 1) yield block;
  yield lastBlock;
}

const paceOf = (moments: { begun: number; between: number; ended: number }): Pace => ({
  received: (size * 1000) / (moments.between - moments.begun),
  given: (size * 1000) / (moments.ended - moments.between),
});
