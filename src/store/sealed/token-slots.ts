/**
 * The device's tokens in two alternating files (INVARIANTS.md B.2 step 5). A new generation overwrites the file of the
 * generation before the last. So if a write fails in any way, the last generation is whole. GCM's tag is the checksum.
 */
import { z } from 'zod';
import { milliseconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { createUnsealing } from '../../core/sealing.ts';
import { Secret } from '../../core/secret.ts';
import type { DeviceTokens } from '../../domain/device.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { SealedFiles, SealedReading } from './sealed-files.ts';
import { createSealedReading, readingOfServer } from './sealed-files.ts';
import { configuredKey, storedKey } from './sealing.ts';

const slotNames = ['tokens-a', 'tokens-b'] as const;
const slotOf = (generation: number): string => slotNames[generation % 2 === 0 ? 0 : 1];
/** The largest token answer that `cloud` accepts, so this much room is enough. */
const largestTokens = 64 * 1024;

const slotShape = z.object({
  generation: z.int().positive(),
  /** `null`: the earlier tokens were given up. */
  tokens: z
    .object({
      accessToken: z.string(),
      refreshToken: z.string(),
      expiresIn: z.number(),
      issuedAt: z.number(),
    })
    .nullable(),
});

interface TokenSlots {
  /** The newest readable generation; 0 if there is none. */
  readonly generation: number;
  readonly tokens: DeviceTokens | undefined;
  /** A slot was written at some time, readable or not. */
  readonly used: boolean;
  store(tokens: DeviceTokens): void;
  /** Gives the tokens up; the slot that records this has this generation. */
  storeNone(generation: number): void;
  /** Takes the room for that generation before the token of the previous generation is spent (B.2 step 3). */
  reserve(generation: number): void;
}

type SlotContent = Pick<TokenSlots, 'generation' | 'tokens' | 'used'>;

function readTokenSlots(files: SealedReading): SlotContent {
  let newest: Omit<SlotContent, 'used'> = { generation: 0, tokens: undefined };
  let used = false;
  for (const name of slotNames) {
    const content = files.read(name, slotShape);
    used ||= content.kind !== 'absent';
    if (content.kind === 'value') {
      const { generation } = content.value;
      if (generation > newest.generation) newest = { generation, tokens: tokensOf(content.value) };
    }
  }
  return { ...newest, used };
}

export function openTokenSlots(files: SealedFiles): TokenSlots {
  let { used, ...newest } = readTokenSlots(files);

  function write(slot: z.infer<typeof slotShape>): void {
    files.write(slotOf(slot.generation), slot);
    used = true;
  }

  return {
    get generation() {
      return newest.generation;
    },
    get tokens() {
      return newest.tokens;
    },
    get used() {
      return used;
    },
    store(tokens) {
      const { generation, accessToken, refreshToken, expiresIn, issuedAt } = tokens;
      const plain = { accessToken: accessToken.reveal(), refreshToken: refreshToken.reveal() };
      write({ generation, tokens: { ...plain, expiresIn, issuedAt } });
      newest = { generation, tokens };
    },
    storeNone(generation) {
      write({ generation, tokens: null });
      newest = { generation, tokens: undefined };
    },
    reserve: (generation) => files.reserve(slotOf(generation), largestTokens),
  };
}

function tokensOf({ generation, tokens }: z.infer<typeof slotShape>): DeviceTokens | undefined {
  if (!tokens) return undefined;
  return {
    generation,
    accessToken: new Secret(tokens.accessToken),
    refreshToken: new Secret(tokens.refreshToken),
    expiresIn: milliseconds(tokens.expiresIn),
    issuedAt: tokens.issuedAt,
  };
}

interface StoredTokenDeps {
  readonly stateDir: string;
  /** The agent's sealing key; if absent, the key file of the state directory is used. */
  readonly sealingKey: Secret | undefined;
  /** The authUrl of a further server; if absent, the first server. */
  readonly furtherServer?: string | undefined;
  /** Logs files that exist and cannot be opened. */
  readonly log: Log;
}

/**
 * The access token, for the command line beside a running agent (INVARIANTS.md D13): nothing is locked, refreshed or
 * written. Only the service knows whether it is still accepted. `undefined` if there is no token that can be opened.
 * Throws `state-unusable` if the files may not be read, `config-invalid` for an invalid sealing key.
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
