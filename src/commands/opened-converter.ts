/** The converter as a command opens it, with a spool of its own: the agent's belongs to the agent. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/schema.ts';
import { systemChance } from '../core/chance.ts';
import { systemClock } from '../core/clock.ts';
import type { Converter } from '../domain/ports/printing.ts';
import { isProblem } from '../domain/problem.ts';
import { createConverter } from '../printing/conversion/converter.ts';
import { createSandbox } from '../printing/conversion/sandbox.ts';
import { openSpool } from '../printing/spool/spool.ts';
import type { Examination } from './examination.ts';
import { examinationLimit } from './examination.ts';
import type { Io } from './io.ts';

export async function openConverter({ conversion: programs }: Config): Promise<Converter & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'platen-check-'));
  opening.defer(() => rm(directory, { recursive: true, force: true }));
  const spool = opening.use(await openSpool({ directory, chance: systemChance }));
  const clock = systemClock;
  const converter = createConverter({ programs, sandbox: createSandbox({ clock }), spool, clock });
  const opened = opening.move();
  return { ...converter, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Most printers need none: what is missing is told, and is no failure. */
export async function examineConverter(config: Config, io: Io): ReturnType<Examination> {
  await using converter = await openConverter(config);
  try {
    const confinement = await converter.examine({
      signal: systemClock.deadline(examinationLimit, io.stop),
    });
    const { ghostscript, qpdf } = config.conversion;
    return `${ghostscript} and ${qpdf} are there, and are shut in by ${confinement}`;
  } catch (error) {
    if (!isProblem(error, 'converter-missing')) throw error;
    return { waiting: `${error.message}: a document that a printer does not take as it is is refused` };
  }
}
