/**
 * `platen fleet push DIR`: checks the whole directory and makes it a signed version in the engine (F15). No gateway
 * uses the version before a person rolls it out.
 */
import type { KeyObject } from 'node:crypto';
import { canonical, layersFor, parsedManifest } from '../../config/pushed/manifest.ts';
import type { CheckedDirectory, DirectoryText } from '../../config/pushed/directory-check.ts';
import { checkDirectory, isSameContent, madeOf } from '../../config/pushed/directory-check.ts';
import type { GatewayPlace } from '../../config/pushed/manifest.ts';
import { merged } from '../../config/pushed/layers.ts';
import type { Signed, SignerKey } from '../../config/pushed/signature.ts';
import { bodyOf, fingerprintOf, pemOf, signed } from '../../config/pushed/signature.ts';
import { isoInstant, systemClock } from '../../core/clock.ts';
import { counted } from '../../core/text/counted.ts';
import type { Office, RollMember } from '../../fleet/configuration/office.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import type { GatewayChanges } from './differences.ts';
import { changesOf, changesText } from './differences.ts';
import { atOffice } from './office.ts';

export interface PushOptions {
  readonly config: string;
  readonly texts: readonly DirectoryText[];
  /** Only absent with `dryRun`. */
  readonly key: KeyObject | undefined;
  readonly dryRun?: boolean;
  /** Sign again, even if nothing has changed and a trusted signer has signed it. */
  readonly signAgain?: boolean;
  readonly json?: boolean;
}

export async function pushCommand(options: PushOptions, io: Io): Promise<number> {
  return atOffice(options.config, io, async (office, { signers }) => {
    const roll = await office.members(io.stop);
    const directory = checkDirectory(options.texts, roll);
    tellStrangers(directory, roll, io);
    if (options.dryRun) return tellChanges(directory, { office, roll }, options, io);
    if (!options.key) throw new CommandFailed('Give the key for signing: --key FILE');
    return add(directory, { office, roll, key: options.key, signers }, options, io);
  });
}

/** Only warnings, because a gateway may be set up after its file was written. */
function tellStrangers({ all, sites }: CheckedDirectory, roll: readonly RollMember[], io: Io): void {
  for (const { name, isOnRoll } of all) {
    if (isOnRoll) continue;
    io.error(`platen: gateways/${name}.yaml: no gateway of that name has been in the fleet yet`);
  }
  const taken = new Set([...all, ...roll].map(({ site }) => site));
  for (const site of sites.keys()) {
    if (!taken.has(site)) io.error(`platen: sites/${site}.yaml: no gateway is at that site yet`);
  }
}

async function add(
  directory: CheckedDirectory,
  {
    office,
    roll,
    key,
    signers,
  }: {
    readonly office: Office;
    readonly roll: readonly RollMember[];
    readonly key: KeyObject;
    readonly signers: readonly SignerKey[];
  },
  { json, signAgain }: PushOptions,
  io: Io,
): Promise<number> {
  const { fleet, versions } = office;
  const newest = await versions.newest(io.stop);
  // A restored engine does not know the versions of its gateways, and gateways accept no older version.
  const highest = Math.max(newest, ...roll.map(({ version }) => version ?? 0));
  const make = (version: number) =>
    madeOf(directory, { fleet, version, madeAt: isoInstant(systemClock.now()) });
  const { manifest, parts } = make(highest + 1);
  const before = newest === 0 || newest < highest ? undefined : await versions.version(newest, io.stop);
  if (before && isSameContent(parsedManifest(before.body), manifest)) {
    const own = { fingerprint: fingerprintOf(key), pem: pemOf(key) };
    const isOwn = isSignedBy([own], before);
    if (isOwn || (!signAgain && isSignedBy(signers, before))) {
      io.out(
        json
          ? JSON.stringify({ version: newest, isNew: false, signer: before.signer })
          : `Nothing has changed since version ${newest}.${isOwn ? '' : signedByAnother(before)}`,
      );
      return exitCode.ok;
    }
  }
  await versions.addParts(parts, io.stop);
  const { version } = manifest;
  if (!(await versions.addVersion(version, signed('configuration', canonical(manifest), key), io.stop))) {
    throw new CommandFailed(
      `Another administrator pushed version ${version} meanwhile. Look at it, then push again`,
    );
  }
  const gateways = directory.all.length;
  io.out(
    json
      ? JSON.stringify({ version, isNew: true, gateways, signer: fingerprintOf(key) })
      : [
          `Version ${version} is in the engine. It is checked for ${counted(gateways, 'gateway')} and signed by ${fingerprintOf(key)}.`,
          `No gateway uses it yet. To roll it out: platen fleet roll ${version} --key FILE`,
        ].join('\n'),
  );
  return exitCode.ok;
}

const signedByAnother = ({ signer }: Signed): string =>
  ` It is signed by ${signer}, a key in fleet.signers. To sign it with your key as well: --sign-again`;

/** Whether one of these keys has signed it. The gateways accept no other version. */
function isSignedBy(keys: readonly Pick<SignerKey, 'pem' | 'fingerprint'>[], version: Signed): boolean {
  try {
    bodyOf('configuration', version, keys);
    return true;
  } catch {
    return false;
  }
}

async function tellChanges(
  { all }: CheckedDirectory,
  { office, roll }: { readonly office: Office; readonly roll: readonly RollMember[] },
  { json }: PushOptions,
  io: Io,
): Promise<number> {
  const changes: GatewayChanges[] = [];
  const versions = new Map<number, PastVersion>();
  for (const { name, site, settings } of all) {
    const member = roll.find((one) => one.name === name);
    const from = member?.version ?? null;
    if (from !== null && !versions.has(from)) versions.set(from, await pastVersion(office, from, io.stop));
    const before = versions.get(from ?? 0)?.({ name, site: member?.site ?? site }) ?? {};
    changes.push({ gateway: name, site, from, changes: changesOf(before, settings) });
  }
  io.out(json ? JSON.stringify(changes, undefined, 2) : changesText(changes));
  return exitCode.ok;
}

/** The settings of a gateway in that version, before its own file. */
type PastVersion = (gateway: GatewayPlace) => unknown;

async function pastVersion({ versions }: Office, number: number, signal: AbortSignal): Promise<PastVersion> {
  const kept = await versions.version(number, signal);
  if (!kept) return () => ({});
  const manifest = parsedManifest(kept.body);
  const { base, sites, gateways } = manifest;
  const hashes = [base ?? [], Object.values(sites), Object.values(gateways).map(({ part }) => part)].flat();
  const parts = await versions.parts([...new Set(hashes)], signal);
  return (gateway) =>
    layersFor(manifest, gateway, parts).reduce<unknown>((below, { settings }) => merged(below, settings), {});
}
