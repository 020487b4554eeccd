/**
 * A version of a fleet's configuration: a manifest with the hashes of its parts. Only the manifest is signed, so each
 * gateway reads only its own parts, and an unchanged part is stored once. The version number is inside the signed text,
 * so a person with access to the engine's database cannot present an old version as new (F15).
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Settings } from './layers.ts';
import type { Signed, SignerKey } from './signature.ts';
import { bodyOf } from './signature.ts';

/** The name of a site or gateway. It is valid as a file name without quoting. */
export const partName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().regex(partName);

const manifestShape = z.strictObject({
  format: z.literal(1),
  /** Prevents the use of another fleet's version. */
  fleet: z.uuid(),
  version: z.int().min(1),
  madeAt: z.string(),
  base: hash.nullable(),
  sites: z.record(name, hash),
  /** `site` is set if the directory names it; otherwise the gateway's own file does. */
  gateways: z.record(name, z.strictObject({ part: hash, site: name.nullable() })),
});

export type Manifest = z.output<typeof manifestShape>;

/** The gateway whose settings are wanted. `name` is its name in the fleet, and `site` comes from its own file. */
export interface GatewayPlace {
  readonly name: string;
  readonly site: string;
}

/** `what` is the name of the layer in the directory, for messages. */
export interface Layer {
  readonly what: string;
  readonly settings: Settings;
}

/** Throws an `Error` with the reason if the manifest is not valid. */
export const manifestIn = (kept: Signed, signers: readonly SignerKey[]): Manifest =>
  parsedManifest(bodyOf('configuration', kept, signers));

/** Does not check the signature. Use it only to show changes. */
export function parsedManifest(body: string): Manifest {
  const { data } = manifestShape.safeParse(JSON.parse(body));
  if (!data) throw new Error('this version of Platen does not know its format');
  return data;
}

/** The hashes of a gateway's parts, the weakest first. */
export function partsFor(
  { base, sites, gateways }: Manifest,
  { name: gateway, site: own }: GatewayPlace,
): readonly { readonly what: string; readonly hash: string }[] {
  const mine = Object.hasOwn(gateways, gateway) ? gateways[gateway] : undefined;
  const site = mine?.site ?? own;
  const ofSite = Object.hasOwn(sites, site) ? sites[site] : undefined;
  return [
    ...(base === null ? [] : [{ what: 'base.yaml', hash: base }]),
    ...(ofSite === undefined ? [] : [{ what: `sites/${site}.yaml`, hash: ofSite }]),
    ...(mine === undefined ? [] : [{ what: `gateways/${gateway}.yaml`, hash: mine.part }]),
  ];
}

/** Throws if a part is missing or differs from the signed one. */
export function layersFor(
  manifest: Manifest,
  gateway: GatewayPlace,
  parts: Readonly<Record<string, string>>,
): readonly Layer[] {
  return partsFor(manifest, gateway).map(({ what, hash: wanted }) => {
    const text = parts[wanted];
    if (text === undefined) throw new Error(`the part ${what} is missing`);
    if (hashOf(text) !== wanted) throw new Error(`the part ${what} was changed after it was signed`);
    return { what, settings: JSON.parse(text) as Settings };
  });
}

/** JSON with the keys of every map sorted: one canonical text, which signatures and comparisons need. */
export const canonical = (value: unknown): string => JSON.stringify(inOrder(value));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, within]) => [key, inOrder(within)]));
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
