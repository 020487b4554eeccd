/**
 * What a gateway keeps of its fleet in small files of the state directory, for the time when the engine is away or
 * answers differently: its fleet and its own id there, whether it is alone, the last beat, and the number of
 * gateways.
 */
import { closeSync, constants, ftruncateSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Chance } from '../../core/chance.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { openRegular, readIfPresent, writeDurably } from './durable-file.ts';

const fleetFile = 'fleet.json';
const fleetShape = z.object({
  fleetId: z.uuid(),
  members: z.array(z.object({ id: z.uuid(), name: z.string(), site: z.string() })),
});

type KeptFleet = z.output<typeof fleetShape>;

/** The caller owns the state directory. `keep` throws `store-refused`, `store-failed`. */
export function keptFleetIn(stateDir: string): {
  read(): KeptFleet | undefined;
  keep(fleet: KeptFleet): void;
} {
  return {
    read: () => keptFleet(stateDir),
    keep: (fleet) => writeDurably(join(stateDir, fleetFile), Buffer.from(JSON.stringify(fleet))),
  };
}

/**
 * `undefined` before the gateway was first in a fleet. Throws `state-unusable` or `store-refused`, because no value may
 * be assumed.
 */
export function keptFleet(stateDir: string): KeptFleet | undefined {
  const path = join(stateDir, fleetFile);
  const kept = readIfPresent(path);
  if (kept === undefined) return undefined;
  try {
    return fleetShape.parse(JSON.parse(kept.toString()));
  } catch (cause) {
    throw new Problem(
      'state-unusable',
      `${path} is damaged. If fleet.engine.url names the engine of this gateway for certain, remove the file`,
      { cause },
    );
  }
}

const idFile = 'member.json';
const idShape = z.object({ memberId: z.uuid() });

/**
 * The id of this gateway in its fleet: a UUID, made once. It stays the same over restarts and new versions, because
 * earlier claims belong to it. The caller owns the state directory. Throws `state-unusable` for a damaged file,
 * `store-refused`, `store-failed`.
 */
export function memberIdIn(stateDir: string, chance: Chance): string {
  const kept = keptMemberId(stateDir);
  if (kept !== undefined) return kept;
  const memberId = chance.uuid();
  writeDurably(join(stateDir, idFile), Buffer.from(JSON.stringify({ memberId })));
  return memberId;
}

/** `undefined` if the agent has not run as a member yet. Throws `state-unusable`, `store-refused`. */
export function keptMemberId(stateDir: string): string | undefined {
  const path = join(stateDir, idFile);
  const kept = readIfPresent(path);
  return kept && memberIdOf(kept, path);
}

function memberIdOf(kept: Buffer, path: string): string {
  try {
    return idShape.parse(JSON.parse(kept.toString())).memberId;
  } catch (cause) {
    throw new Problem(
      'state-unusable',
      `${path} is damaged. Remove it; the gateway then joins its fleet as a new member`,
      { cause },
    );
  }
}

const aloneShape = z.object({ word: z.enum(['alone', 'over']), engine: z.string(), mark: z.string() });
type AloneWord = z.output<typeof aloneShape>['word'];

/**
 * The note of a fleet member that it is, or once was, alone in its fleet (F12). It names the moment at which the
 * system made the mark file beside it. In a copy of the state directory, for example unpacked from an archive, the
 * mark is younger, and the note does not count: the original may have printed since. The caller owns the state
 * directory. `write` throws `store-refused`, `store-failed`.
 */
export function aloneWordIn(
  stateDir: string,
  engine: string,
): { read(): AloneWord | undefined; write(word: AloneWord): void } {
  const path = join(stateDir, 'alone.json');
  const markPath = join(stateDir, 'alone.mark');
  // Only the system sets these two (inode(7)).
  const mark = (): string => {
    const { ino, ctimeNs } = statSync(markPath, { bigint: true });
    return `${ino} ${ctimeNs}`;
  };
  return {
    read() {
      try {
        const kept = aloneShape.parse(JSON.parse(String(readIfPresent(path))));
        if (kept.word === 'over') return 'over';
        return kept.engine === engine && kept.mark === mark() ? 'alone' : undefined;
      } catch {
        return undefined;
      }
    },
    write(word) {
      writeDurably(markPath, Buffer.from(''));
      writeDurably(path, Buffer.from(JSON.stringify({ word, engine, mark: mark() })));
    },
  };
}

const beatShape = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00\n$/;

interface KeptBeat {
  read(): string | undefined;
  write(at: string): void;
}

/**
 * The time of the last beat that the fleet's engine answered, by the engine's clock, kept over restarts of this
 * process (F9). It is not synced: a power cut loses the last half minute of it, and nothing else depends on it. The
 * caller owns the state directory. Neither function throws: a beat that cannot be kept is unknown.
 */
export function lastBeatIn(stateDir: string): KeptBeat {
  const path = join(stateDir, 'last-beat');
  return {
    read() {
      try {
        const text = String(readIfPresent(path));
        return beatShape.test(text) ? text.trimEnd() : undefined;
      } catch {
        return undefined;
      }
    },
    write(at) {
      try {
        const file = openRegular(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
        try {
          ftruncateSync(file, writeSync(file, `${at}\n`));
        } finally {
          closeSync(file);
        }
      } catch {
        // Other writers report a full disk.
      }
    },
  };
}

const sizeShape = z.object({ gateways: z.int().min(1) });

interface FleetSizeFile {
  read(): number;
  /** Throws `store-refused` or `store-failed`. */
  keep(gateways: number): void;
}

/**
 * How many gateways the fleet had when this gateway last heard of it. It is for the moments after a power cut when the
 * engine may not be there yet. If it is lost or damaged, it counts as 1. The caller owns the state directory.
 */
export function fleetSizeIn(stateDir: string): FleetSizeFile {
  const path = join(stateDir, 'fleet-size.json');
  return {
    read() {
      try {
        return sizeShape.parse(JSON.parse(readIfPresent(path)?.toString() ?? '')).gateways;
      } catch {
        return 1;
      }
    },
    keep: (gateways) => writeDurably(path, Buffer.from(JSON.stringify({ gateways }))),
  };
}
