/**
 * The stored fleet configuration of a gateway: the last good version, used at a start without the engine. It also keeps
 * the highest version and order of each fleet, so that older ones are refused (F15).
 */
import { closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openFile } from '../file-access.ts';
import { signedShape } from './signature.ts';

const acceptedShape = z.strictObject({
  manifest: signedShape,
  /** The texts of the gateway's own parts, by hash. */
  parts: z.record(z.string(), z.string()),
});

const keptShape = z.strictObject({
  format: z.literal(1),
  /** `null`: only the gateway's own file is used. */
  accepted: acceptedShape.nullable(),
  /** The version on which the agent last started. */
  started: acceptedShape.nullable().optional(),
  /** Why the agent cannot start on `accepted`. Then `started` is in force. */
  unfit: z.string().optional(),
  /** `to` is the version to which the order led. */
  highest: z.record(z.string(), z.strictObject({ version: z.int(), order: z.int(), to: z.int().optional() })),
});

export type Accepted = Readonly<z.output<typeof acceptedShape>>;
export type Kept = Readonly<Omit<z.output<typeof keptShape>, 'format'>>;

export const keptFile = (stateDir: string): string => join(stateDir, 'fleet-configuration.json');

export const keptText = (kept: Kept): string => JSON.stringify({ format: 1, ...kept });

/** Throws an `Error` if the file is damaged. */
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
