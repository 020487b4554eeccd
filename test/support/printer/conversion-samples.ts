/** What the tests of conversion convert, and the converter they do it with. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { Conversion, Spool, SpooledDocument } from '../../../src/domain/ports/printing.ts';
import { createConverter } from '../../../src/printing/conversion/converter.ts';
import { isRaster } from '../../../src/printing/conversion/raster-abilities.ts';
import type { Programs } from '../../../src/printing/conversion/conversion-programs.ts';
import type { Confinement, SandboxLimits } from '../../../src/printing/conversion/sandbox-room.ts';
import type { Sandbox } from '../../../src/printing/conversion/sandbox.ts';
import { createSandbox, usualLimits } from '../../../src/printing/conversion/sandbox.ts';
import { openSpool } from '../../../src/printing/spool/spool.ts';
import { temporaryDirectory } from './samples.ts';

export interface SandboxBenchOptions {
  readonly limits?: Partial<SandboxLimits>;
  readonly confinement?: Confinement;
  readonly atLeast?: Confinement;
  readonly programs?: Programs;
  /** Of a unit. */
  readonly socket?: string;
}

export interface ConverterBenchOptions extends SandboxBenchOptions {
  /** One that has found out already how far it shuts in. */
  readonly sandbox?: Sandbox;
}

const usual: Programs = { ghostscript: 'gs', qpdf: 'qpdf' };

export const sandboxWith = ({ limits, programs = usual, ...wish }: SandboxBenchOptions = {}) =>
  createSandbox({
    clock: systemClock,
    chance: systemChance,
    programs,
    atLeast: 'limits',
    limits: { ...usualLimits, ...limits },
    ...wish,
  });

/** In place of both programs a script, which everybody may run. */
export function writtenPrograms(folder: string, script: string): Programs {
  chmodSync(folder, 0o755);
  const programs = { ghostscript: join(folder, 'gs'), qpdf: join(folder, 'qpdf') };
  for (const path of Object.values(programs)) {
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }
  return programs;
}

/** The same; `$1` is where the document lies, `$2` the second file. */
export const standIns = (folder: string, script: string): Programs =>
  writtenPrograms(folder, `beside=$4\nfor document; do :; done\nset -- "$document" "$beside"\n${script}`);

export async function spoolForTest(): Promise<Spool> {
  const spool = await openSpool({ directory: temporaryDirectory(), chance: systemChance });
  onTestFinished(() => spool[Symbol.dispose]());
  return spool;
}

export async function converterForTest({ sandbox, ...options }: ConverterBenchOptions = {}) {
  const spool = await spoolForTest();
  return createConverter({ sandbox: sandbox ?? sandboxWith(options), spool, clock: systemClock });
}

export const conversion = (facts: Partial<Conversion> = {}): Conversion => ({
  format: 'application/pdf',
  color: 'as-is',
  order: 'as-is',
  copies: 1,
  collated: true,
  sides: undefined,
  rasterType: isRaster(facts.format ?? '') ? (facts.color === 'grey' ? 'sgray_8' : 'srgb_8') : undefined,
  backs: undefined,
  resolution: 300,
  media: undefined,
  recordedPages: undefined,
  ...facts,
});

export const bytesOf = (document: SpooledDocument): Promise<Buffer> => buffer(document.read());
