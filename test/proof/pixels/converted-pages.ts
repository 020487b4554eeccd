/** Documents through the converter, with the real programs, to the pixels that a printer gets. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { Conversion } from '../../../src/domain/ports/printing.ts';
import { createConverter } from '../../../src/printing/conversion/converter.ts';
import { formats } from '../../../src/printing/document-format.ts';
import { openSpool } from '../../../src/printing/spool/spool.ts';
import { bytesOf, conversion, sandboxWith } from '../../support/printer/conversion-samples.ts';
import type { Paper } from './second-eye.ts';
import { withoutLimit } from '../../support/patience.ts';

const sandbox = sandboxWith();

/** In a spool of its own, for several at a time. */
export async function converted(document: Buffer, wanted: Partial<Conversion>): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-pixels-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(directory, { recursive: true }));
  const spool = cleanup.use(await openSpool({ directory, chance: systemChance }));
  const bytes = Readable.from([document], { objectMode: false });
  const original = cleanup.use(await spool.store({ length: document.length, bytes }, withoutLimit()));
  const converter = createConverter({ sandbox, spool, clock: systemClock });
  const made = cleanup.use(await converter.convert(original, conversion(wanted), withoutLimit()));
  return await bytesOf(made);
}

export interface Bench extends Paper {
  /** Dots per inch. */
  readonly resolution: number;
}

export const media = 'iso_a4_210x297mm';
/** A4, coarse and quick. */
export const coarse: Bench = { resolution: 75, width: 620, height: 876 };
/** A4, as fine as the smallest things are compared. */
export const fine: Bench = { resolution: 120, width: 992, height: 1403 };

/** What makes raster of A4 of a document. */
export const raster = ({ resolution }: Bench, wanted: Partial<Conversion> = {}): Partial<Conversion> => ({
  format: formats.pwgRaster,
  resolution,
  media,
  ...wanted,
});
