/**
 * What an agent of the usual configuration has loaded while it is idle, by name: its sources, the packages, and Node's own
 * modules. It is run from the sources, for the bundle has lost the names.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import { setStage } from '../support/agent/stage.ts';
import { lookInto, openToLooks } from './inside.ts';

export interface Loaded {
  /** Of the project. */
  readonly root: string;
  readonly names: readonly string[];
}

const ofNode = "Node's ";
/** Milliseconds. */
const idleTime = 1000;

/** `program`: its `tools/platen.js`. */
export async function loadedWhileIdle(program: string): Promise<Loaded> {
  // As Node names them.
  const root = realpathSync(dirname(dirname(program)));
  await using stage = await setStage();
  const looks = { folder: stage.folder, collects: false };
  const main = join(root, 'src', 'main.ts');
  await using agent = startAgentProcess(stage.configFile, {
    inside: ([, ...words]) => [process.execPath, '--disable-proto=delete', main, ...words],
    env: openToLooks(looks),
  });
  await agent.told('terminal ready', 'reader up');
  await sleep(idleTime);
  return { root, names: namesOf((await lookInto(agent.pid, looks)).loaded, root) };
}

export function namesOf(loaded: readonly string[], root: string): readonly string[] {
  const sources = `${pathToFileURL(root).href}/`;
  const nameOf = (one: string): readonly string[] => {
    const [, inPackage] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(one) ?? [];
    if (inPackage !== undefined) return [inPackage];
    if (one.startsWith(sources)) return [one.slice(sources.length)];
    return one.startsWith('NativeModule ') ? [`${ofNode}${one.slice('NativeModule '.length)}`] : [];
  };
  return [...new Set(loaded.flatMap(nameOf))].toSorted();
}

/** In words, each with its names. */
export function newlyLoaded(before: Loaded, now: Loaded): ReadonlyMap<string, readonly string[]> {
  const were = new Set(before.names);
  const added = now.names.filter((name) => !were.has(name));
  // A source or a package that was there; of Node all was.
  const isOld = (name: string) =>
    name.startsWith(ofNode) ||
    ['', 'node_modules'].some((folder) => existsSync(join(before.root, folder, name)));
  const told = new Map([
    ['loaded while idle, and new', added.filter((name) => !isOld(name))],
    ['loaded while idle, and before only when it was needed', added.filter(isOld)],
  ]);
  return new Map([...told].filter(([, names]) => names.length > 0));
}
