/** Versions of the fleet's configuration in the engine: added and read, never changed (F15). */
import { z } from 'zod';
import type { Signed } from '../../config/pushed/signature.ts';
import { signedShape } from '../../config/pushed/signature.ts';
import type { Row, Statement } from '../engine/line.ts';

/** One statement to the engine, which may be sent again. */
export type Ask = (
  statement: Statement,
  values: readonly unknown[],
  signal: AbortSignal,
) => Promise<readonly Row[]>;

export interface VersionTable {
  /** The number of the newest; 0 before the first. */
  newest(signal: AbortSignal): Promise<number>;
  version(number: number, signal: AbortSignal): Promise<Signed | undefined>;
  /** By their hashes; missing parts are left out. */
  parts(hashes: readonly string[], signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** Called before the version that names them is added. */
  addParts(parts: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>;
  /** False if another command has added that version in the meantime. */
  addVersion(number: number, signed: Signed, signal: AbortSignal): Promise<boolean>;
}

const newest: Statement = {
  name: 'newest configuration',
  text: 'SELECT coalesce(max(version), 0) AS version FROM platen.config_version',
};
const one: Statement = {
  name: 'configuration',
  text: 'SELECT body, signature, signer FROM platen.config_version WHERE version = $1',
};
const some: Statement = {
  name: 'configuration parts',
  text: 'SELECT hash, body FROM platen.config_part WHERE hash = ANY ($1::text[])',
};
const addPart: Statement = {
  name: 'configuration part added',
  text: 'INSERT INTO platen.config_part (hash, body) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING',
};
const addOne: Statement = {
  name: 'configuration added',
  text: `INSERT INTO platen.config_version (version, body, signature, signer) VALUES ($1, $2, $3, $4)
    ON CONFLICT DO NOTHING RETURNING version`,
};

const partShape = z.object({ hash: z.string(), body: z.string() });
/** Characters in one statement: even an engine far away takes them in time. */
const mostAtOnce = 256 * 1024;

export const createVersionTable = (ask: Ask): VersionTable => ({
  async newest(signal) {
    const [row] = await ask(newest, [], signal);
    return z.object({ version: z.number() }).parse(row).version;
  },
  async version(number, signal) {
    const [row] = await ask(one, [number], signal);
    return row && signedShape.parse(row);
  },
  async parts(hashes, signal) {
    const rows = await ask(some, [hashes], signal);
    return Object.fromEntries(rows.map((row) => partShape.parse(row)).map(({ hash, body }) => [hash, body]));
  },
  async addParts(parts, signal) {
    for (const load of loads(Object.entries(parts))) {
      await ask(addPart, [load.map(([hash]) => hash), load.map(([, body]) => body)], signal);
    }
  },
  async addVersion(number, { body, signature, signer }, signal) {
    return (await ask(addOne, [number, body, signature, signer], signal)).length > 0;
  },
});

type Part = readonly [hash: string, body: string];

function loads(parts: readonly Part[]): readonly (readonly Part[])[] {
  const found: Part[][] = [[]];
  let size = 0;
  for (const part of parts) {
    size += part[1].length;
    if (size > mostAtOnce) {
      found.push([]);
      size = part[1].length;
    }
    found.at(-1)?.push(part);
  }
  return found.filter((load) => load.length > 0);
}
