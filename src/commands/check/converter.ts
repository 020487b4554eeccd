/** The converter for a command. It gets a spool of its own, because the spool of the agent belongs to the agent. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/schema/config.ts';
import { systemChance } from '../../core/chance.ts';
import { systemClock } from '../../core/clock.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Converter } from '../../domain/ports/printing.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { createConverter } from '../../printing/conversion/converter.ts';
import { scriptsMissing } from '../../printing/conversion/contents/missing-fonts.ts';
import { createSandbox } from '../../printing/conversion/sandbox.ts';
import { unitSocket } from '../../printing/conversion/unit-room.ts';
import { openSpool } from '../../printing/spool/spool.ts';
import type { Examination } from './examination.ts';

const sandboxOf = ({ conversion }: Config) =>
  createSandbox({
    clock: systemClock,
    chance: systemChance,
    programs: conversion,
    atLeast: conversion.require,
  });

export async function openConverter(config: Config): Promise<Converter & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'platen-check-'));
  opening.defer(() => rm(directory, { recursive: true, force: true }));
  const spool = opening.use(await openSpool({ directory, chance: systemChance }));
  const converter = createConverter({ sandbox: sandboxOf(config), spool, clock: systemClock });
  const opened = opening.move();
  return { ...converter, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Most printers need no conversion. So a missing program is shown, but is no failure. */
export async function examineConverter(config: Config, { signal }: CallOptions): ReturnType<Examination> {
  await using converter = await openConverter(config);
  const agents = existsSync(unitSocket) ? '; the agent may use platen-converter, but this user may not' : '';
  try {
    const confinement = await converter.examine({ signal });
    const { ghostscript, qpdf } = config.conversion;
    return `${ghostscript} and ${qpdf} are installed, and run in ${rooms[confinement]}${confinement === 'unit' ? '' : agents}`;
  } catch (error) {
    if (!isProblem(error, 'converter-unconfined', 'converter-missing')) throw error;
    const { code, message, advice } = error;
    const why = code === 'converter-unconfined' ? `${message}${agents}` : message;
    return {
      code,
      waiting: `Conversion is not available, so Platen refuses formats that the printer does not accept. Reason: ${why}. ${advice}`,
    };
  }
}

/** Without fonts only documents that need them are refused. */
export async function examineFonts(config: Config, call: CallOptions): ReturnType<Examination> {
  const missing = await scriptsMissing(sandboxOf(config), call);
  if (missing.length === 0)
    return 'documents in Chinese, Japanese or Korean print even if they contain no fonts';
  return {
    waiting: `Platen refuses documents in ${missing.map(({ script }) => script).join(', ')} if they do not contain their fonts. Install the packages fonts-droid-fallback and, for Korean, fonts-nanum.`,
  };
}

const rooms: Readonly<Record<Awaited<ReturnType<Converter['examine']>>, string>> = {
  unit: 'a unit of systemd (platen-converter)',
  namespaces: 'namespaces',
  limits: 'limits only, so they see all that this user sees; enable platen-converter.socket',
};
