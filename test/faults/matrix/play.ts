/**
 * Runs the cells of one call: a stage for each fault, and in it the three timings one after the other, each judged; a cell
 * that fails takes its stage along.
 */
import { afterAll, describe, it } from 'vitest';
import type { Call, Timing } from '../../support/standard-faults/calls.ts';
import { callNames, timings } from '../../support/standard-faults/calls.ts';
import type { Fault } from '../../support/standard-faults/faults.ts';
import { faultNames } from '../../support/standard-faults/faults.ts';
import { expectOrder } from './judge.ts';
import type { Reaction } from './reactions.ts';
import { expected } from './reactions.ts';
import type { MatrixStage } from './stage.ts';
import { openStage } from './stage.ts';
import type { CloudOptions } from '../../../src/simulator/cloud/cloud.ts';

export interface Cell {
  /** `content/cut chunk/later`. */
  readonly id: string;
  readonly call: Call;
  readonly fault: Fault;
  readonly timing: Timing;
  readonly reaction: Reaction;
}

export type Play = (stage: MatrixStage, cell: Cell) => Promise<void>;

export interface CallPlay {
  /** Absent: as usual, with every timing on the same stage. */
  readonly cloudFor?: (timing: Timing) => CloudOptions;
  /** Before the first cell on a stage. */
  readonly prepare?: (stage: MatrixStage) => void;
  readonly plays: Readonly<Record<Timing, Play>>;
}

export const cells: readonly Cell[] = callNames.flatMap((call) =>
  faultNames.flatMap((fault) =>
    timings.map((timing) => ({
      call,
      fault,
      timing,
      id: `${call}/${fault}/${timing}`,
      reaction: expected[call][fault],
    })),
  ),
);

const inWords = ({ told, then }: Reaction): string => [told, then].filter(Boolean).join(', ');

export function playMatrix(call: Call, { cloudFor, prepare, plays }: CallPlay): void {
  describe.each(faultNames)(`${call}: %s`, (fault) => {
    const ofFault = cells.filter((cell) => cell.call === call && cell.fault === fault);
    let shared: MatrixStage | undefined;
    const open = async (timing: Timing) => {
      const stage = await openStage({ fault, ...(cloudFor && { cloud: cloudFor(timing) }) });
      prepare?.(stage);
      return stage;
    };
    const leave = async () => {
      const left = shared;
      shared = undefined;
      await left?.[Symbol.asyncDispose]();
    };
    afterAll(leave);

    for (const cell of ofFault) {
      it(`${cell.id}: ${inWords(cell.reaction)}`, async () => {
        const stage = (shared ??= await open(cell.timing));
        stage.begin();
        let isSound = false;
        try {
          await plays[cell.timing](stage, cell);
          stage.cloud.behaveWell();
          expectOrder(stage);
          isSound = true;
        } catch (cause) {
          throw new Error(`${String(cause).split('\n')[0]}\nthe last records:\n${stage.lastRecords()}`, {
            cause,
          });
        } finally {
          // What a failed cell has left would fail the next one, too.
          if (cloudFor !== undefined || !isSound) await leave();
        }
      });
    }
  });
}
