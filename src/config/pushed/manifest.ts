/**
 * One version of a fleet's configuration: which parts it is made of, by their hashes. The manifest is what is signed, so
 * each gateway reads its own parts alone, and a part that stays the same is kept once for all versions. The version is
 * within: whoever has the engine's database cannot give an older one out for a newer one (F15).
 */
import { z } from 'zod';
import { hashOf } from './canonical.ts';
import type { Settings } from './merge.ts';
import type { Signed, SignerKey } from './signature.ts';
import { bodyOf } from './signature.ts';

/** Of sites and gateways: what can be a file's name and needs no quoting. */
export const partName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().regex(partName);

const manifestShape = z.strictObject({
  format: z.literal(1),
  /** A version of another fleet's is none of this one's. */
  fleet: z.uuid(),
  version: z.int().min(1),
  madeAt: z.string(),
  base: hash.nullable(),
  sites: z.record(name, hash),
  /** `site`: where the directory says it; else the gateway's own file does. */
  gateways: z.record(name, z.strictObject({ part: hash, site: name.nullable() })),
});

export type Manifest = z.output<typeof manifestShape>;

/** Whose settings: `name` is that of the member, `site` that of its own file. */
export interface GatewayPlace {
  readonly name: string;
  readonly site: string;
}

/** `what`: as the directory calls it, for whoever reads of a mistake. */
export interface Layer {
  readonly what: string;
  readonly settings: Settings;
}

/** Throws an `Error` that says why it is none. */
export const manifestIn = (kept: Signed, signers: readonly SignerKey[]): Manifest =>
  parsedManifest(bodyOf('configuration', kept, signers));

/** Without a look at who signed it: to show what changes, and for nothing else. */
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

/** Throws where a part is missing, or is not the one that was signed. */
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
