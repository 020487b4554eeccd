/**
 * What a layer of a fleet's configuration may not say (F15). What a gateway needs to reach the fleet, and what makes it
 * the one it is, stays in its own file; secrets stay on it, and the layer says by which name they lie there.
 */
import type { KeyPath, Mistake } from '../mistakes.ts';
import { placesOfSecrets } from '../redacted.ts';
import { isMap } from './merge.ts';

const ownKeys: readonly KeyPath[] = [
  ['fleet'],
  ['stateDir'],
  ['device', 'clientId'],
  ['device', 'sealingKey'],
];

export function mistakesOfLayer(settings: unknown): readonly Mistake[] {
  if (!isMap(settings)) return [{ path: [], message: 'must contain keys of platen.yaml with their values' }];
  return [
    ...ownKeys
      .filter((path) => isThere(settings, path))
      .map((path) => ({ path, message: "may stand only in each gateway's own file" })),
    ...placesOfSecrets(settings)
      .filter(({ value }) => !isLocal(value))
      .map(({ path }) => ({
        path,
        message:
          "is a secret and must stay on the gateway. Write { credential: NAME }, or { file: NAME } for a file beside the gateway's own file",
      })),
  ];
}

const isThere = (settings: unknown, [key = '', ...rest]: KeyPath): boolean =>
  isMap(settings) &&
  Object.hasOwn(settings, key) &&
  (rest.length === 0 || isThere(settings[String(key)], rest));

/** In the folder of the gateway's own file, or below: it names nothing that is another program's. */
const localFile = /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\\\0]+$/;

/** `null` takes it away. */
const isLocal = (value: unknown): boolean => {
  if (value === null) return true;
  if (!isMap(value)) return false;
  const { file, credential } = value;
  return typeof credential === 'string' || (typeof file === 'string' && localFile.test(file));
};
