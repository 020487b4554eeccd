/**
 * Reads the seed file of a simulated cloud and the documents that it names, and checks everything. It gives a valid
 * seed, or throws `ConfigInvalid` with each mistake, its line and advice.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { errnoSaid } from '../../core/errno.ts';
import { knownKeysIn } from '../../config/known-keys.ts';
import type { KeyPath, Mistake } from '../../config/mistakes.ts';
import { ConfigInvalid, lineOf, mistakesOf } from '../../config/mistakes.ts';
import { parsedYaml } from '../../config/yaml-text.ts';
import { didYouMean } from '../../core/text/near-word.ts';
import { unknownSetting, wrongValue } from '../cloud/settings.ts';
import type { Seed } from '../sample/sample-data.ts';
import { mistakesOfDocument, mistakesOfUser, takenBy, unknown } from './entry-rules.ts';
import { seedOf } from './seed.ts';
import type { SeedFile } from './seed-schema.ts';
import { seedJsonSchema, seedSchema } from './seed-schema.ts';

/** The same limit as for uploads. */
const largestFile = 256 * 1024 * 1024;

export function readSeed(file: string): Seed {
  const { document, counter, data = {} } = parsedYaml(file, textOf(file));
  const { success, data: seed, error } = seedSchema.safeParse(data, { reportInput: true });
  const contents = new Map<string, Buffer>();
  const mistakes = success
    ? [...contradictionsIn(seed), ...unreadableIn(seed, { folder: dirname(resolve(file)), contents })]
    : error.issues.flatMap((issue) =>
        issue.path[0] === 'settings'
          ? settingMistakes(issue)
          : mistakesOf(issue, knownKeysIn(seedJsonSchema())).map(quoted(issue.input)).map(nearWords(issue)),
      );
  if (success && mistakes.length === 0) return seedOf(seed, contents);
  const shown = mistakes.map((mistake): Mistake => {
    const line = lineOf(document, counter, mistake.path);
    return line === undefined ? mistake : { ...mistake, line };
  });
  throw new ConfigInvalid(
    file,
    shown.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `cannot be read (${errnoSaid(cause)}); name another file with --seed FILE`;
    throw new ConfigInvalid(file, [{ path: [], message }], { cause });
  }
}

/** If a card number, short id or password has only digits, YAML reads a number, and leading zeros are lost. */
const quoted =
  (input: unknown) =>
  (mistake: Mistake): Mistake =>
    typeof input === 'number' && mistake.message === 'must be a string'
      ? { ...mistake, message: 'must be a string; put quotes around it' }
      : mistake;

/** For words of the specification, the message also suggests the nearest word. */
const nearWords =
  (issue: z.core.$ZodIssue) =>
  (mistake: Mistake): Mistake =>
    issue.code === 'invalid_value' && typeof issue.input === 'string'
      ? { ...mistake, message: `${mistake.message}${didYouMean(issue.input, issue.values.map(String))}` }
      : mistake;

function settingMistakes(issue: z.core.$ZodIssue): Mistake[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...keysIn(issue), key], message: unknownSetting(key) }));
  }
  const [, name] = issue.path;
  if (typeof name !== 'string') return mistakesOf(issue);
  return [{ path: keysIn(issue), message: wrongValue(name, issue.input) }];
}

const keysIn = ({ path }: z.core.$ZodIssue): KeyPath => path.filter((part) => typeof part !== 'symbol');

/** Mistakes between parts that are each valid alone. */
function contradictionsIn(seed: SeedFile): readonly Mistake[] {
  const { users, groups, documents, outputPorts, inputPorts, locations } = seed;
  const taken = takenBy({ users: [], documents: [] });
  const portNames = outputPorts.map(({ name }) => name);
  const locationNames = locations.map(({ name }) => name);
  return [
    ...users.flatMap((user, at) => within(['users', at], mistakesOfUser(user, taken, groups))),
    ...doubled(groups, (at) => ['groups', at], 'is the name of an earlier group too'),
    ...doubledDomains(seed),
    ...documents.flatMap((document, at) => within(['documents', at], mistakesOfDocument(document, taken))),
    ...doubled(portNames, (at) => ['outputPorts', at, 'name'], 'is the name of an earlier port too'),
    ...doubled(
      outputPorts.map(({ deviceSerial }) => deviceSerial),
      (at) => ['outputPorts', at, 'deviceSerial'],
      'is the serial number of an earlier port too',
    ),
    ...inputPorts.flatMap(({ portType, outputPort, location }, at) => [
      ...(outputPort === undefined
        ? []
        : unknown(outputPort, portNames, { path: ['inputPorts', at, 'outputPort'], list: 'outputPorts' })),
      ...(portType === 1 && outputPort === undefined
        ? [{ path: ['inputPorts', at], message: 'is a push queue (portType 1) and needs its outputPort' }]
        : []),
      ...(location === undefined
        ? []
        : unknown(location, locationNames, { path: ['inputPorts', at, 'location'], list: 'locations' })),
    ]),
  ];
}

/** An empty text does not count as double. */
function doubled(names: readonly string[], pathOf: (at: number) => KeyPath, what: string): Mistake[] {
  return names.flatMap((name, at) =>
    name !== '' && names.indexOf(name) < at ? [{ path: pathOf(at), message: `"${name}" ${what}` }] : [],
  );
}

const within = (place: KeyPath, mistakes: readonly Mistake[]): Mistake[] =>
  mistakes.map(({ path, message }) => ({ path: [...place, ...path], message }));

function doubledDomains({ account, containers }: SeedFile): Mistake[] {
  const ofContainers = containers.map(({ domains }, at) => ({ domains, path: ['containers', at] }));
  const all = [{ domains: account.domains, path: ['account'] }, ...ofContainers].flatMap(
    ({ domains, path }) =>
      domains.map((domain, index) => ({ domain, path: [...path, 'domains', index] as KeyPath })),
  );
  return doubled(
    all.map(({ domain }) => domain),
    (at) => all[at]?.path ?? [],
    'is a domain of an earlier place too',
  );
}

function unreadableIn(
  { documents }: SeedFile,
  { folder, contents }: { readonly folder: string; readonly contents: Map<string, Buffer> },
): Mistake[] {
  return documents.flatMap(({ file }, at) => {
    if (file === undefined) return [];
    const place = resolve(folder, file);
    const path = ['documents', at, 'file'];
    try {
      const found = statSync(place);
      if (!found.isFile() || found.size > largestFile) {
        return [{ path, message: `${place} is no file of at most ${largestFile / 1024 / 1024} MiB` }];
      }
      contents.set(file, readFileSync(place));
      return [];
    } catch (cause) {
      const message = `${place} cannot be read (${errnoSaid(cause)}); ${basename(file)} is looked for from the folder of this file`;
      return [{ path, message }];
    }
  });
}
