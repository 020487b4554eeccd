/**
 * How many gateways the fleet had when this one last heard of it: a small file of the state directory, for the moments
 * after a power cut in which the engine may not be there yet. One that is lost or damaged says one.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { readIfPresent, writeDurably } from './durable-file.ts';

const shape = z.object({ gateways: z.int().min(1) });

export interface FleetSizeFile {
  read(): number;
  /** Throws `store-refused` or `store-failed`. */
  keep(gateways: number): void;
}

/** The caller owns the state directory. */
export function fleetSizeIn(stateDir: string): FleetSizeFile {
  const path = join(stateDir, 'fleet-size.json');
  return {
    read() {
      try {
        return shape.parse(JSON.parse(readIfPresent(path)?.toString() ?? '')).gateways;
      } catch {
        return 1;
      }
    },
    keep: (gateways) => writeDurably(path, Buffer.from(JSON.stringify({ gateways }))),
  };
}
