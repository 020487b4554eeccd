/** What the tests of conversion convert, and the converter they do it with. */
import { onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { Conversion, Spool, SpooledDocument } from '../../../src/domain/ports/printing.ts';
import { createConverter } from '../../../src/printing/conversion/converter.ts';
import type { Confinement, SandboxLimits } from '../../../src/printing/conversion/sandbox-room.ts';
import type { Sandbox } from '../../../src/printing/conversion/sandbox.ts';
import { createSandbox, usualLimits } from '../../../src/printing/conversion/sandbox.ts';
import { openSpool } from '../../../src/printing/spool/spool.ts';
import { temporaryDirectory } from '../samples.ts';

export interface ConverterBenchOptions {
  readonly limits?: Partial<SandboxLimits>;
  readonly confinement?: Confinement;
  /** One that has found out already how far it shuts in. */
  readonly sandbox?: Sandbox;
  readonly programs?: { readonly ghostscript: string; readonly qpdf: string };
}

export const sandboxWith = ({ limits, confinement }: ConverterBenchOptions = {}) =>
  createSandbox({
    clock: systemClock,
    limits: { ...usualLimits, ...limits },
    ...(confinement ? { confinement } : {}),
  });

export async function spoolForTest(): Promise<Spool> {
  const spool = await openSpool({ directory: temporaryDirectory(), chance: systemChance });
  onTestFinished(() => spool[Symbol.dispose]());
  return spool;
}

export async function converterForTest(options: ConverterBenchOptions = {}) {
  const { programs = { ghostscript: 'gs', qpdf: 'qpdf' }, sandbox = sandboxWith(options) } = options;
  const spool = await spoolForTest();
  return createConverter({ programs, sandbox, spool, clock: systemClock });
}

export const conversion = (facts: Partial<Conversion> = {}): Conversion => ({
  format: 'application/pdf',
  color: 'as-is',
  order: 'as-is',
  copies: 1,
  collated: true,
  sides: undefined,
  turnsBacks: false,
  resolution: 300,
  media: undefined,
  recordedPages: undefined,
  ...facts,
});

export async function bytesOf(document: SpooledDocument): Promise<Buffer> {
  return Buffer.concat(await document.read().toArray());
}
