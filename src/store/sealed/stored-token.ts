/**
 * Reads the device's access token from a state directory, for the command line beside a running agent (INVARIANTS.md
 * D13). It takes no lock, refreshes nothing and writes nothing. `token-slots.ts` finds the newest token; only the
 * service knows whether it is still accepted.
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
  /** The agent's sealing key; if absent, the key file of the state directory is used. */
  readonly sealingKey: Secret | undefined;
  /** The authUrl of a further server; if absent, the first server. */
  readonly furtherServer?: string | undefined;
  /** Logs files that exist and cannot be opened. */
  readonly log: Log;
}

/**
 * `undefined` if there is no token that can be opened. Throws `state-unusable` if the files may not be read,
 * `config-invalid` for an invalid sealing key.
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
