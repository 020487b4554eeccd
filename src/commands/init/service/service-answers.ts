/** How `platen init` uses its look at the service: whether it may look at all, and whether it continues. */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../../config/schema/config.ts';
import { printable } from '../../../core/text/printable.ts';
import { CommandFailed } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { textOf } from '../file.ts';
import type { Machine } from '../machine.ts';
import type { ServiceLook } from './service-look.ts';
import { lookAtService } from './service-look.ts';

const named = z.looseObject({ cloud: z.looseObject({ caFile: z.string().optional() }) });

/** `undefined` if root would have to trust files that other users can write (INVARIANTS.md T26). */
export async function lookWhereRootMay(
  config: Config,
  { file, draft, reader, io }: Pick<Machine, 'file' | 'draft' | 'reader' | 'io'>,
): Promise<ServiceLook | undefined> {
  const caFile = named.safeParse(draft.data()).data?.cloud.caFile;
  try {
    if (caFile !== undefined) await textOf(resolve(dirname(file), caFile), { reader });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    io.error(
      `platen: Platen does not try the service before it writes the file: ${printable(error.message)}`,
    );
    return undefined;
  }
  return lookAtService(config, { signal: io.stop });
}

export const inWords = ({ version }: ServiceLook): string =>
  version === undefined
    ? 'The service answers and accepts the API key.'
    : `The service answers, has version ${version}, and accepts the API key.`;

/** A service that is only away is accepted if nobody waits for it. */
export const isAccepted = (
  { faults }: ServiceLook,
  { isWaitedFor }: { readonly isWaitedFor: boolean },
): boolean => faults.length === 0 || !(isWaitedFor || faults.some(({ isVerdict }) => isVerdict));

/**
 * Rejects `CommandFailed` unless the service accepts address and key. A service that is only away is accepted if nobody
 * waits for it.
 */
export function refuseUnlessThere(
  look: ServiceLook | undefined,
  { io, isWaitedFor }: { readonly io: Io; readonly isWaitedFor: boolean },
): void {
  if (!look) return;
  if (look.faults.length === 0) return io.out(inWords(look));
  for (const { sentence } of look.faults) io.error(`platen: ${printable(sentence)}`);
  if (!isAccepted(look, { isWaitedFor })) {
    throw new CommandFailed('Nothing was written. Correct this answer, then run this command again');
  }
}
