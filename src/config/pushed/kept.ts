/**
 * What a gateway keeps of its fleet's configuration: the last good one, on which it starts while the engine is away, and
 * how far versions and orders have come, of each fleet that it was in: an older one is refused (F15).
 */
import { closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openFile } from '../open-file.ts';
import { signedShape } from './signature.ts';

const acceptedShape = z.strictObject({
  manifest: signedShape,
  /** The texts of the gateway's own parts, by their hashes. */
  parts: z.record(z.string(), z.string()),
});

const keptShape = z.strictObject({
  format: z.literal(1),
  /** `null`: the gateway's own file alone. */
  accepted: acceptedShape.nullable(),
  /** The one on which the agent started last. */
  started: acceptedShape.nullable().optional(),
  /** Why the agent cannot start on what was accepted: `started` is in force instead. */
  unfit: z.string().optional(),
  /** `to`: the version that the order led to. */
  highest: z.record(z.string(), z.strictObject({ version: z.int(), order: z.int(), to: z.int().optional() })),
});

export type Accepted = Readonly<z.output<typeof acceptedShape>>;
export type Kept = Readonly<Omit<z.output<typeof keptShape>, 'format'>>;

export const keptFile = (stateDir: string): string => join(stateDir, 'fleet-configuration.json');

export const keptText = (kept: Kept): string => JSON.stringify({ format: 1, ...kept });

/** Throws an `Error` for a file that is damaged. */
export function readKept(stateDir: string): Kept {
  const path = keptFile(stateDir);
  const text = textOf(path);
  if (text === undefined) return { accepted: null, highest: {} };
  try {
    const { format: _, ...kept } = keptShape.parse(JSON.parse(text));
    return kept;
  } catch (cause) {
    throw new Error(`${path} is damaged`, { cause });
  }
}

function textOf(path: string): string | undefined {
  try {
    const file = openFile(path);
    try {
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
