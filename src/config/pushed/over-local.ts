/**
 * The fleet's configuration under the gateway's own file, which stands before it. The signature is verified again each
 * time: whoever may no longer sign has no say from the next start on.
 */
import { hostname } from 'node:os';
import { keyPath } from '../mistakes.ts';
import type { Outside } from '../schema/values.ts';
import type { Accepted } from './kept.ts';
import { readKept } from './kept.ts';
import { mistakesOfLayer } from './layer-rules.ts';
import type { GatewayPlace, Layer } from './manifest.ts';
import { layersFor, manifestIn, parsedManifest } from './manifest.ts';
import type { Settings } from './merge.ts';
import { isMap, merged } from './merge.ts';
import type { SignerKey } from './signature.ts';

/** Which version is read over the own file: the one that is kept or, where one is tried, that one. */
export interface PushedChoice {
  /** `null`: the own file alone. */
  tried?: Accepted | null | undefined;
  /** What the last reading found. */
  found?: PushedFound | undefined;
  /** A version is in force: one that cannot be used is a mistake, as one that is tried is. Else the own file alone is read. */
  mustFit?: boolean;
}

export interface PushedFound {
  readonly version: number;
  /** Keys of the fleet's configuration that the own file sets otherwise. */
  readonly shadowed: readonly string[];
  /** Why what is kept, or tried, is not used: a sentence. */
  readonly refused?: string;
  /** The agent has never started on it. */
  readonly isNew?: true;
  /** The version that is kept and on which the agent could not start; this one is in force instead. */
  readonly unfit?: { readonly version: number; readonly why: string };
}

export interface OverLocal {
  readonly settings: unknown;
  /** The weakest first, and the own file last. */
  readonly layers: readonly Layer[];
}

/** Where the own file names no signers, it is all there is. */
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

/** As the member of the fleet is called, and where it is. */
export function gatewayOf(local: Settings): GatewayPlace {
  const { device, fleet } = local;
  const name = isMap(device) && typeof device['clientId'] === 'string' ? device['clientId'] : hostname();
  const site = isMap(fleet) && typeof fleet['site'] === 'string' ? fleet['site'] : 'main';
  return { name, site };
}

/** Those that cannot be read are a mistake of the own file, which tells of it. */
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
