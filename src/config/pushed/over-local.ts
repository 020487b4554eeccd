/**
 * Merges the fleet's configuration with the gateway's own file, which is stronger. The signature is checked at each
 * reading, so a removed signer has no effect from the next start on.
 */
import { hostname } from 'node:os';
import { keyPath } from '../mistakes.ts';
import type { Outside } from '../schema/values.ts';
import type { Accepted } from './kept.ts';
import { readKept } from './kept.ts';
import { isMap, merged, mistakesOfLayer } from './layers.ts';
import type { GatewayPlace, Layer } from './manifest.ts';
import { layersFor, manifestIn, parsedManifest } from './manifest.ts';
import type { Settings } from './layers.ts';
import type { SignerKey } from './signature.ts';

/** Chooses the version of the fleet's configuration: the stored version, or a version that is being tried. */
export interface PushedChoice {
  /** `null`: only the own file is used. */
  tried?: Accepted | null | undefined;
  /** The result of the last reading. */
  found?: PushedFound | undefined;
  /**
   * A version is already in force, so an unusable version is a mistake. Otherwise only the own file is used then. A
   * version in `tried` must always fit.
   */
  mustFit?: boolean;
}

export interface PushedFound {
  readonly version: number;
  /** Keys of the fleet's configuration that the own file overrides. */
  readonly shadowed: readonly string[];
  /** Why the stored or tried version is not used, as a sentence. */
  readonly refused?: string;
  /** The agent has never started on this version. */
  readonly isNew?: true;
  /** The stored version on which the agent could not start. The version of this record is in force instead. */
  readonly unfit?: { readonly version: number; readonly why: string };
}

export interface OverLocal {
  readonly settings: unknown;
  /** The weakest first and the own file last; empty if only the own file is used. */
  readonly layers: readonly Layer[];
}

/** Without signers in the own file, only the own file is used. */
export function overLocal(local: unknown, outside: Outside, choice: PushedChoice): OverLocal {
  choice.found = undefined;
  const own: OverLocal = { settings: local, layers: [] };
  const signers = signersIn(local, outside);
  if (!isMap(local) || signers.length === 0) return own;
  let version = 0;
  try {
    const { accepted, ...facts } = keptOrTried(choice, stateDirIn(local, outside));
    if (facts.unfit) choice.found = { version, shadowed: [], ...facts };
    if (!accepted) return own;
    const manifest = manifestIn(accepted.manifest, signers);
    ({ version } = manifest);
    const layers = layersFor(manifest, gatewayOf(local), accepted.parts);
    refuseMistakes(layers);
    const shadowed: string[] = [];
    const pushed = layers.reduce<unknown>((below, { settings }) => merged(below, settings), {});
    const settings = merged(pushed, local, (path) => shadowed.push(keyPath(path)));
    choice.found = { version, shadowed, ...facts };
    return { settings, layers: [...layers, { what: '', settings: local }] };
  } catch (error) {
    const refused = (error as Error).message;
    choice.found = { version, shadowed: [], refused };
    if (choice.mustFit || choice.tried)
      throw new Error(`the configuration of the fleet: ${refused}`, { cause: error });
    return own;
  }
}

interface Candidate extends Pick<PushedFound, 'isNew' | 'unfit'> {
  readonly accepted: Accepted | null;
}

function keptOrTried({ tried }: PushedChoice, stateDir: string): Candidate {
  if (tried !== undefined) return { accepted: tried };
  const { accepted, started = null, unfit } = readKept(stateDir);
  if (!accepted) return { accepted };
  if (unfit !== undefined) {
    return {
      accepted: started,
      unfit: { version: parsedManifest(accepted.manifest.body).version, why: unfit },
    };
  }
  const hasStarted = started?.manifest.signature === accepted.manifest.signature;
  return { accepted, ...(hasStarted ? {} : { isNew: true }) };
}

/** The name of this gateway in its fleet, and its site. */
export function gatewayOf(local: Settings): GatewayPlace {
  const { device, fleet } = local;
  const name = isMap(device) && typeof device['clientId'] === 'string' ? device['clientId'] : hostname();
  const site = isMap(fleet) && typeof fleet['site'] === 'string' ? fleet['site'] : 'main';
  return { name, site };
}

/** Unreadable signer files are skipped here. The check of the own file reports them. */
function signersIn(local: unknown, outside: Outside): readonly SignerKey[] {
  const fleet = isMap(local) ? local['fleet'] : undefined;
  const named = isMap(fleet) ? fleet['signers'] : undefined;
  if (!Array.isArray(named)) return [];
  return named.flatMap((file) => {
    try {
      return typeof file === 'string' ? [outside.signer(file)] : [];
    } catch {
      return [];
    }
  });
}

function stateDirIn({ stateDir }: Settings, outside: Outside): string {
  return outside.stateDirectory(typeof stateDir === 'string' ? stateDir : undefined);
}

export function refuseMistakes(layers: readonly Layer[]): void {
  for (const { what, settings } of layers) {
    const [first] = mistakesOfLayer(settings);
    if (first) throw new Error(`the part ${what} sets ${keyPath(first.path)}: it ${first.message}`);
  }
}
