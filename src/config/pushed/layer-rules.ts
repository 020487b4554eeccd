/**
 * The rules for a layer of a fleet's configuration (F15). Keys that connect a gateway to the fleet, and keys of its
 * identity, stay in its own file. Secrets stay on the gateway; the layer only names their file or credential.
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

/** The file is in the folder of the gateway's own file or below it, so a layer cannot name another program's files. */
const localFile = /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\\\0]+$/;

/** `null` removes the key. */
const isLocal = (value: unknown): boolean => {
  if (value === null) return true;
  if (!isMap(value)) return false;
  const { file, credential } = value;
  return typeof credential === 'string' || (typeof file === 'string' && localFile.test(file));
};
