/**
 * The port KioskSecrets in the state directory. The launch secret lies open in a file of mode 0600, for the program that
 * starts the kiosk's browser; the key of the cookies is sealed, and never leaves the agent.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Chance } from '../core/chance.ts';
import { Secret } from '../core/secret.ts';
import type { KioskSecrets } from '../domain/ports/kiosk.ts';
import type { Problem } from '../domain/problem.ts';
import { isProblem } from '../domain/problem.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';
import type { SealedFiles } from './sealed-files.ts';

const cookieKeyName = 'kiosk-cookie-key';
const cookieKeyShape = z.object({ key: z.string() });
const secretBytes = 32;
const written = /^[A-Za-z0-9_-]{43}\n$/;

export const launchFileIn = (directory: string): string => join(directory, 'kiosk-launch');

/** Each secret is made where there is none that can be read. Throws `store-refused` or `store-failed`. */
export function openKioskSecrets(options: {
  directory: string;
  files: SealedFiles;
  chance: Chance;
  onFatal: (problem: Problem) => void;
}): KioskSecrets {
  const { directory, files, chance, onFatal } = options;
  const path = launchFileIn(directory);
  const made = (): string => chance.bytes(secretBytes).toString('base64url');

  function renewed(): Secret {
    const text = made();
    try {
      writeDurably(path, Buffer.from(`${text}\n`));
    } catch (error) {
      if (isProblem(error, 'store-failed')) onFatal(error);
      throw error;
    }
    return new Secret(text);
  }

  function stored(): Secret | undefined {
    const text = readIfPresent(path)?.toString('latin1') ?? '';
    return written.test(text) ? new Secret(text.trim()) : undefined;
  }

  function cookieKey(): Secret {
    const kept = files.read(cookieKeyName, cookieKeyShape);
    if (kept.kind === 'value') return new Secret(kept.value.key);
    const key = made();
    files.write(cookieKeyName, { key });
    return new Secret(key);
  }

  let launch = stored() ?? renewed();
  return {
    launch: () => launch,
    renewLaunch() {
      launch = renewed();
    },
    cookieKey: cookieKey(),
  };
}
