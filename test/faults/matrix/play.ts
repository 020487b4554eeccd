/** Runs the cells of one call: a scene for each fault, and in it the three timings one after the other, each judged. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Call, Timing } from './calls.ts';
import { callNames, timings } from './calls.ts';
import type { Fault } from './faults.ts';
import { faultNames } from './faults.ts';
import { expectOrder } from './judge.ts';
import type { Reaction } from './reactions.ts';
import { expected } from './reactions.ts';
import type { MatrixScene } from './scene.ts';
import { openScene } from './scene.ts';
import type { CloudOptions } from '../../../src/simulator/cloud/cloud.ts';

export interface Cell {
  /** `content/cut chunk/later`. */
  readonly id: string;
  readonly call: Call;
  readonly fault: Fault;
  readonly timing: Timing;
  readonly reaction: Reaction;
}

export type Play = (scene: MatrixScene, cell: Cell) => Promise<void>;

export interface CallPlay {
  /** Absent: as usual, with every timing in the same scene. */
  readonly cloudFor?: (timing: Timing) => CloudOptions;
  /** Before the first cell of a scene. */
  readonly prepare?: (scene: MatrixScene) => void;
  readonly plays: Readonly<Record<Timing, Play>>;
}

export const cells: readonly Cell[] = callNames.flatMap((call) =>
  faultNames.flatMap((fault) =>
    timings.map((timing) => ({
      ...{ call, fault, timing },
      id: `${call}/${fault}/${timing}`,
      reaction: expected[call][fault],
    })),
  ),
);

const inWords = ({ told, then }: Reaction): string => [told, then].filter(Boolean).join(', ');

export function playMatrix(call: Call, { cloudFor, prepare, plays }: CallPlay): void {
  describe.each(faultNames)(`${call}: %s`, (fault) => {
    const ofFault = cells.filter((cell) => cell.call === call && cell.fault === fault);
    let shared: MatrixScene | undefined;
    const open = async (timing: Timing) => {
      const scene = await openScene({ fault, ...(cloudFor && { cloud: cloudFor(timing) }) });
      prepare?.(scene);
      return scene;
    };

    if (!cloudFor) {
      beforeAll(async () => {
        shared = await open('first');
      });
      afterAll(() => shared?.[Symbol.asyncDispose]());
    }

    for (const cell of ofFault) {
      it(`${cell.id}: ${inWords(cell.reaction)}`, async () => {
        await using own = shared ? undefined : await open(cell.timing);
        const scene = shared ?? own;
        if (!scene) throw new Error('the cell has no scene');
        scene.begin();
        try {
          await plays[cell.timing](scene, cell);
        } catch (cause) {
          throw new Error(`${String(cause).split('\n')[0]}\nthe last records:\n${scene.lastRecords()}`, {
            cause,
          });
        } finally {
          scene.cloud.behaveWell();
        }
        expectOrder(scene);
      });
    }
  });
}
