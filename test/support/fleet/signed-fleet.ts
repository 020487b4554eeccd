/** Versions and orders of a fleet for tests, signed as an administrator's commands sign them, and an engine in memory that keeps them. */
import { generateKeyPairSync } from 'node:crypto';
import { canonical } from '../../../src/config/pushed/manifest.ts';
import { checkDirectory, madeOf } from '../../../src/config/pushed/directory-check.ts';
import type { DirectoryText } from '../../../src/config/pushed/directory-check.ts';
import type { Order } from '../../../src/config/pushed/order.ts';
import type { Signed, SignedKind, SignerKey } from '../../../src/config/pushed/signature.ts';
import { fingerprintOf, pemOf, signed } from '../../../src/config/pushed/signature.ts';
import type { Clock } from '../../../src/core/clock.ts';
import type {
  Progress,
  Rollout,
  RolloutGateway,
  RolloutTable,
} from '../../../src/fleet/configuration/rollout-table.ts';
import type { VersionTable } from '../../../src/fleet/configuration/version-table.ts';

export const fleetId = '6f3a4a52-1111-4222-8333-944445555666';

export interface TestSigner extends SignerKey {
  sign(kind: SignedKind, body: string): Signed;
  order(order: Partial<Order>): Signed;
  /** With its parts, by their hashes. */
  version(
    version: number,
    files: Readonly<Record<string, string>>,
    fleet?: string,
  ): { readonly signed: Signed; readonly parts: Readonly<Record<string, string>> };
}

export function createSigner(): TestSigner {
  const { privateKey } = generateKeyPairSync('ed25519');
  const madeAt = '2026-11-21T12:00:00Z';
  return {
    file: '/etc/platen/signer.pub',
    fingerprint: fingerprintOf(privateKey),
    pem: pemOf(privateKey),
    sign: (kind, body) => signed(kind, body, privateKey),
    order(order) {
      const whole: Order = {
        format: 1,
        fleet: fleetId,
        number: 1,
        kind: 'roll',
        version: 1,
        before: 0,
        steps: [1, 10, 100],
        soakSeconds: 60,
        madeAt,
        ...order,
      };
      return signed('order', canonical(whole), privateKey);
    },
    version(version, files, fleet = fleetId) {
      const { manifest, parts } = madeOf(checkDirectory(textsOf(files), []), { fleet, version, madeAt });
      return { signed: signed('configuration', canonical(manifest), privateKey), parts };
    },
  };
}

/** `gateways/a.yaml` and its text. */
export const textsOf = (files: Readonly<Record<string, string>>): readonly DirectoryText[] =>
  Object.entries(files).map(([what, text]) => {
    const [folder = '', name] = what.replace(/\.yaml$/, '').split('/');
    if (name === undefined) return { kind: 'base', name: '', what, text };
    return { kind: folder === 'sites' ? 'site' : 'gateway', name, what, text };
  });

export type Digest = Omit<NonNullable<RolloutGateway['told']>, 'age'>;

/** What the engine's tables hold, by its one clock. */
export class EngineInMemory {
  readonly #clock: Clock;
  readonly versions = new Map<number, Signed>();
  readonly parts = new Map<string, string>();
  readonly digests = new Map<string, { at: number; digest: Digest }>();
  readonly listeners = new Set<() => void>();
  rollout:
    | (Omit<Rollout, 'stepAge' | 'soakingFor' | 'total'> & {
        readonly stepAt: number;
        readonly soakingSince: number | null;
      })
    | undefined;
  gateways: { member: string; name: string; rank: number; well: number; lowSince: number | null }[] = [];
  /** By whom roll-outs went on, and how often somebody came second. */
  readonly steps: Progress[] = [];
  late = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  give(
    number: number,
    order: Signed,
    members: readonly { readonly member: string; readonly name: string }[],
  ): void {
    const now = this.#clock.monotonic();
    this.rollout = {
      number,
      order,
      state: 'running',
      step: 0,
      revision: 1,
      stepAt: now,
      soakingSince: null,
      gateway: null,
      why: null,
    };
    this.gateways = members.map(({ member, name }, rank) => {
      const well = this.digests.get(member)?.digest.well ?? 0;
      return { member, name, rank, well, lowSince: null };
    });
    this.#tell();
  }

  resume(): void {
    if (!this.rollout) return;
    const { revision } = this.rollout;
    const now = this.#clock.monotonic();
    const anew = { soakingSince: null, gateway: null, why: null };
    this.rollout = { ...this.rollout, state: 'running', revision: revision + 1, stepAt: now, ...anew };
    for (const gateway of this.gateways) gateway.lowSince = null;
    this.#tell();
  }

  push({ signed: version, parts }: ReturnType<TestSigner['version']>, number: number): void {
    this.versions.set(number, version);
    for (const [hash, text] of Object.entries(parts)) this.parts.set(hash, text);
  }

  #tell(): void {
    for (const listener of this.listeners) listener();
  }

  #now(): Rollout | undefined {
    if (!this.rollout) return undefined;
    const { stepAt, soakingSince, ...rollout } = this.rollout;
    const now = this.#clock.monotonic();
    const soakingFor = soakingSince === null ? null : now - soakingSince;
    return { ...rollout, stepAge: now - stepAt, soakingFor, total: this.gateways.length };
  }

  readonly rollouts: RolloutTable = {
    wish: async (member) => {
      const rollout = this.#now();
      const rank = this.gateways.find((one) => one.member === member)?.rank ?? null;
      return rollout && { ...rollout, rank };
    },
    turn: async (every) => {
      const now = this.#clock.monotonic();
      if (this.rollout?.state !== 'running' || now - this.#lookedAt < every) return undefined;
      this.#lookedAt = now;
      return this.#now();
    },
    gateways: async (_number, first) => {
      const now = this.#clock.monotonic();
      return this.gateways.slice(0, first).map(({ lowSince, ...gateway }) => {
        const told = this.digests.get(gateway.member);
        return {
          ...gateway,
          lowFor: lowSince === null ? null : now - lowSince,
          told: told ? { ...told.digest, age: now - told.at } : null,
        };
      });
    },
    mark: async (_number, low, well) => {
      for (const gateway of this.gateways) {
        if (low.includes(gateway.member)) gateway.lowSince ??= this.#clock.monotonic();
        if (well.includes(gateway.member)) gateway.lowSince = null;
      }
    },
    progress: async ({ number, revision }, to) => {
      const now = this.#clock.monotonic();
      if (this.rollout?.number !== number || this.rollout.revision !== revision) {
        this.late += 1;
        return false;
      }
      this.steps.push(to);
      const isSameStep = to.step === this.rollout.step;
      this.rollout = {
        ...this.rollout,
        state: to.state,
        step: to.step,
        revision: revision + 1,
        stepAt: isSameStep ? this.rollout.stepAt : now,
        soakingSince: to.soaks && isSameStep ? (this.rollout.soakingSince ?? now) : null,
        gateway: to.halt?.gateway ?? null,
        why: to.halt?.why ?? null,
      };
      this.#tell();
      return true;
    },
    onNews: (listener) => {
      this.listeners.add(listener);
      return { [Symbol.dispose]: () => void this.listeners.delete(listener) };
    },
  };

  readonly versionTable: VersionTable = {
    newest: async () => Math.max(0, ...this.versions.keys()),
    version: async (number) => this.versions.get(number),
    parts: async (hashes) =>
      Object.fromEntries(
        hashes.flatMap((hash) => {
          const text = this.parts.get(hash);
          return text === undefined ? [] : [[hash, text]];
        }),
      ),
    addParts: async (parts) => {
      for (const [hash, text] of Object.entries(parts)) this.parts.set(hash, text);
    },
    addVersion: async (number, version) => {
      if (this.versions.has(number)) return false;
      this.versions.set(number, version);
      return true;
    },
  };
}
