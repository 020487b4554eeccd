/**
 * The port KioskSecrets in the state directory. The launch secret is a plain file of mode 0600, for the program that
 * starts the kiosk's browser. For each pass that was issued only a mark is kept, by which the pass is recognised.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Chance } from '../../core/chance.ts';
import { Secret } from '../../core/secret.ts';
import type { KioskSecrets } from '../../domain/ports/kiosk.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { readUnlessBad, writeDurably } from '../files/durable-file.ts';
import type { SealedFiles } from './sealed-files.ts';

const marksName = 'kiosk-passes';
/** By terminal. */
const marksShape = z.record(z.string(), z.string());
const secretBytes = 32;
const written = /^[A-Za-z0-9_-]{43}\n$/;

export const launchFileIn = (directory: string): string => join(directory, 'kiosk-launch');

/** Makes the launch secret if no readable one exists. Throws `store-refused` or `store-failed`. */
export function openKioskSecrets(options: {
  directory: string;
  files: SealedFiles;
  chance: Chance;
  onFatal: (problem: Problem) => void;
}): KioskSecrets {
  const { directory, files, chance, onFatal } = options;
  const path = launchFileIn(directory);

  function renewed(): Secret {
    const text = chance.bytes(secretBytes).toString('base64url');
    try {
      writeDurably(path, Buffer.from(`${text}\n`));
    } catch (error) {
      if (isProblem(error, 'store-failed')) onFatal(error);
      throw error;
    }
    return new Secret(text);
  }

  function stored(): Secret | undefined {
    const text = readUnlessBad(path)?.toString('latin1') ?? '';
    return written.test(text) ? new Secret(text.trim()) : undefined;
  }

  const kept = files.read(marksName, marksShape);
  let marks: ReadonlyMap<string, string> = new Map(kept.kind === 'value' ? Object.entries(kept.value) : []);
  let launch = stored() ?? renewed();
  return {
    launch: () => launch,
    spend(terminal, mark) {
      launch = renewed();
      const next = new Map(marks).set(terminal, mark);
      files.write(marksName, Object.fromEntries(next));
      marks = next;
    },
    markOf: (terminal) => marks.get(terminal),
  };
}
