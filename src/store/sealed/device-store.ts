/**
 * The facts from which enrollment starts after a restart, each in its own sealed file: `identity`, `registration`, two
 * token slots, and `refreshing`. Every method is one durable write, or two of which the first alone changes nothing. So
 * a crash leaves the facts as they were or as they should be. The enrollment machine draws the conclusions.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Chance } from '../../core/chance.ts';
import { isoInstant } from '../../core/clock.ts';
import { Secret } from '../../core/secret.ts';
import type { DeviceIdentity, Registration } from '../../domain/device.ts';
import type { Env } from '../../domain/env.ts';
import type { DeviceStore } from '../../domain/ports/enrollment.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { setFilesAside } from '../files/durable-file.ts';
import type { SealedFiles } from './sealed-files.ts';
import { openTokenSlots } from './token-slots.ts';

const storedCode = z.object({
  deviceCode: z.string(),
  expiresAt: z.number(),
  userCode: z.string().optional(),
});
const registrationShape = z.object({
  /** Tokens of a higher generation came from this registration, or made it obsolete. */
  generation: z.int(),
  code: storedCode.nullable(),
});
const refreshingShape = z.object({ generation: z.int(), wall: z.number(), monotonic: z.number() });

interface DeviceStoreDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly directory: string;
  readonly files: SealedFiles;
  readonly clientId: string | undefined;
  /**
   * The identity that another server of the same service knows already. At this server the device first introduces
   * itself signed, as after a long absence, and unsigned only if that is refused (src/cloud/README.md 1).
   */
  readonly knownAs?: DeviceIdentity;
}

/**
 * Throws `state-unusable` if the identity is missing or sealed with another key. If it is damaged, the device begins as
 * a new one, which an administrator approves; any other damage costs a repetition at most.
 */
export function openDeviceStore(deps: DeviceStoreDeps): DeviceStore {
  const { files, clock } = deps;
  if (deps.knownAs === undefined && files.read(fileName, identityShape).kind === 'damaged') {
    setDeviceAside(deps, join(deps.directory, fileName));
  }
  const storedRegistration = files.read('registration', registrationShape);
  let registered = storedRegistration.kind !== 'absent' || deps.knownAs !== undefined;
  const slots = openTokenSlots(files);
  const identity = deps.knownAs ?? openIdentity({ ...deps, enrolledBefore: registered || slots.used });
  const storedMark = files.read('refreshing', refreshingShape);

  const stored = storedRegistration.kind === 'value' ? storedRegistration.value : undefined;
  let registration = stored?.code ? registrationOf(stored.code) : undefined;
  let registeredAfter = stored?.generation ?? 0;
  let mark = storedMark.kind === 'value' ? storedMark.value.generation : 0;
  // A damaged slot must not cause a generation number to be used twice.
  const highest = (): number => Math.max(slots.generation, mark, registeredAfter);

  function storeRegistration(next: Registration | undefined): void {
    const generation = highest();
    const code = next ? { ...next, deviceCode: next.deviceCode.reveal() } : null;
    files.write('registration', { generation, code });
    registration = next;
    registeredAfter = generation;
    registered = true;
  }

  return {
    facts() {
      const { tokens } = slots;
      return {
        identity,
        registered,
        approved: slots.used,
        registration: registeredAfter >= slots.generation ? registration : undefined,
        tokens,
        // If the mark is ahead of the tokens, their successors were stored and then lost: the tokens are spent.
        refreshing: tokens && mark >= tokens.generation ? tokens.generation : undefined,
      };
    },
    markRegistering() {
      if (!registered) storeRegistration(undefined);
    },
    saveRegistration: storeRegistration,
    forgetRegistration() {
      if (registered) storeRegistration(undefined);
    },
    markRefreshing(generation) {
      if (slots.tokens?.generation !== generation) {
        throw new Error(`tokens of generation ${generation} are not the stored ones`);
      }
      // The room is taken first: with the mark but without room, the token would count as spent although it could not
      // be used.
      slots.reserve(highest() + 1);
      files.write('refreshing', { generation, wall: clock.now(), monotonic: clock.monotonic() });
      mark = generation;
    },
    saveTokens: (grant) => slots.store({ ...grant, generation: highest() + 1, issuedAt: clock.now() }),
    forgetTokens() {
      if (slots.tokens) slots.storeNone(highest() + 1);
    },
  };
}

const registrationOf = ({ deviceCode, expiresAt, userCode }: z.output<typeof storedCode>): Registration => ({
  deviceCode: new Secret(deviceCode),
  expiresAt,
  ...(userCode === undefined ? {} : { userCode }),
});

const fileName = 'identity';
/** RFC 8032 section 5.1.5. */
const seedBytes = 32;
const identityShape = z.object({ clientId: z.string().min(1), seed: z.base64() });

/** Files of a device that cannot be opened any more, or have no use without the identity that is `damaged`. */
export function setDeviceAside(
  { directory, clock, log }: Pick<DeviceStoreDeps, 'directory' | 'clock' | 'log'>,
  damaged: string,
): void {
  const isOfDevice = /^(?:identity|registration|refreshing|tokens-[ab])(?:-[0-9a-f]{16})?$/;
  const lost = readdirSync(directory).filter((name) => isOfDevice.test(name));
  const at = isoInstant(clock.now());
  setFilesAside(
    lost.map((name) => join(directory, name)),
    at,
  );
  log.error('device identity lost', { file: damaged });
}

export const hasIdentity = (directory: string): boolean => existsSync(join(directory, fileName));

interface IdentityDeps {
  readonly directory: string;
  readonly files: SealedFiles;
  /** From the configuration; if absent, a UUID is made. */
  readonly clientId: string | undefined;
  readonly chance: Chance;
  /** Other facts of an enrolled device exist, so a missing identity was lost. */
  readonly enrolledBefore: boolean;
}

/**
 * The device's client id and Ed25519 seed (src/cloud/README.md 1): made once, kept for life, in a file apart from the
 * tokens. Lost tokens do no harm, but another identity needs a new approval, so none is ever made silently.
 * Throws `state-unusable` if the stored identity is missing, sealed with another key, or not the configured one.
 */
function openIdentity(deps: IdentityDeps): DeviceIdentity {
  const stored = deps.files.read(fileName, identityShape);
  if (stored.kind === 'absent' && !deps.enrolledBefore) return makeIdentity(deps);
  const path = join(deps.directory, fileName);
  if (stored.kind !== 'value') throw new Problem('state-unusable', `${path}: ${whyUnusable[stored.kind]}`);
  const { clientId, seed } = stored.value;
  if (deps.clientId !== undefined && deps.clientId !== clientId) {
    throw new Problem(
      'state-unusable',
      `${path}: belongs to the client id ${clientId}, the configuration says ${deps.clientId}; ` +
        'correct device.clientId, or give the new device its own stateDir',
    );
  }
  return { clientId, seed: new Secret(seed) };
}

const wayBack = 'restore it from a backup, or empty the directory and have the device approved again';
const whyUnusable = {
  absent: `is missing; ${wayBack}`,
  damaged: `is damaged; ${wayBack}`,
  'other-key': 'was sealed with another key; set device.sealingKey, or the file sealing-key, as it was',
} as const;

function makeIdentity({ files, clientId, chance }: IdentityDeps): DeviceIdentity {
  const made = { clientId: clientId ?? chance.uuid(), seed: chance.bytes(seedBytes).toString('base64') };
  files.write(fileName, made);
  return { clientId: made.clientId, seed: new Secret(made.seed) };
}
