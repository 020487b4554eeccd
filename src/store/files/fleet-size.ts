/**
 * How many gateways the fleet had when this gateway last heard of it: a small file of the state directory. It is for
 * the moments after a power cut when the engine may not be there yet. If it is lost or damaged, it counts as 1.
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
