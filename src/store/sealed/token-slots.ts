/**
 * The device's tokens in two alternating files (INVARIANTS.md B.2 step 5): each generation goes where the one before
 * the last was, so that whatever happens to a write, the generation before is whole. GCM's tag is the check sum.
 */
import { z } from 'zod';
import { milliseconds } from '../../core/duration.ts';
import { Secret } from '../../core/secret.ts';
import type { DeviceTokens } from '../../domain/device.ts';
import type { SealedFiles, SealedReading } from './sealed-files.ts';

const slotNames = ['tokens-a', 'tokens-b'] as const;
const slotOf = (generation: number): string => slotNames[generation % 2 === 0 ? 0 : 1];
/** The largest token answer that `cloud` accepts, so that room for it is room enough. */
const largestTokens = 64 * 1024;

const slotShape = z.object({
  generation: z.int().positive(),
  /** `null`: the tokens before were given up. */
  tokens: z
    .object({
      accessToken: z.string(),
      refreshToken: z.string(),
      expiresIn: z.number(),
      issuedAt: z.number(),
    })
    .nullable(),
});

export interface TokenSlots {
  /** The newest readable; 0 when there is none. */
  readonly generation: number;
  readonly tokens: DeviceTokens | undefined;
  /** Some slot was written once, readable or not. */
  readonly used: boolean;
  store(tokens: DeviceTokens): void;
  /** Gives the tokens up; the slot that says so is of this generation. */
  storeNone(generation: number): void;
  /** Room for that generation, before the token of the one before is spent (B.2 step 3). */
  reserve(generation: number): void;
}

export type SlotContent = Pick<TokenSlots, 'generation' | 'tokens' | 'used'>;

/** Writes nothing. */
export function readTokenSlots(files: SealedReading): SlotContent {
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
