/**
 * The device's access token as it stands in a state directory, for the command line beside a running agent
 * (INVARIANTS.md D13): it takes no lock, refreshes nothing and writes nothing. Which token is the newest is
 * `token-slots.ts`; whether the service still accepts it, the service says.
 */
import type { Log } from '../../core/log.ts';
import type { Secret } from '../../core/secret.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import { createSealedReading, readingOfServer } from './sealed-files.ts';
import { createUnsealing } from '../../core/sealing.ts';
import { configuredKey, storedKey } from './sealing.ts';
import { readTokenSlots } from './token-slots.ts';

export interface StoredTokenDeps {
  readonly stateDir: string;
  /** As the agent has it; absent: the key file of the state directory. */
  readonly sealingKey: Secret | undefined;
  /** The authUrl of a further server; absent: the first. */
  readonly furtherServer?: string | undefined;
  /** Told of files that are there and cannot be opened. */
  readonly log: Log;
}

/**
 * `undefined` where there is none, or none that can be opened. Throws `state-unusable` when
 * the files may not be read, `config-invalid` for a sealing key that is none.
 */
export function readStoredToken(deps: StoredTokenDeps): Secret | undefined {
  const { stateDir, sealingKey, furtherServer, log } = deps;
  try {
    const key = sealingKey ? configuredKey(sealingKey) : storedKey(stateDir);
    if (!key) return undefined;
    const files = createSealedReading({ directory: stateDir, unsealing: createUnsealing(key), log });
    const ofServer = furtherServer === undefined ? files : readingOfServer(files, furtherServer);
    return readTokenSlots(ofServer).tokens?.accessToken;
  } catch (cause) {
    if (!isProblem(cause, 'store-refused', 'store-failed')) throw cause;
    throw new Problem('state-unusable', `${cause.message}; run this as the user that platen runs as`, {
      cause,
    });
  }
}
