/** What a process takes while nothing is asked of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inMegabytes } from './figures.ts';
import { memoryOf } from '../support/process-memory.ts';
import { processorTimeOf } from './process-time.ts';

export interface Idle {
  /** Bytes. */
  readonly resident: number;
  /** Of one processor. */
  readonly share: number;
}

/** Over so many milliseconds. */
export async function idle(pid: number, span: number): Promise<Idle> {
  const [before, since] = [processorTimeOf(pid), performance.now()];
  await sleep(span);
  const share = (processorTimeOf(pid) - before) / ((performance.now() - since) / 1000);
  return { resident: memoryOf(pid).resident, share };
}

export const idleRow = (what: string, { resident, share }: Idle): readonly string[] => [
  what,
  inMegabytes(resident),
  `${(share * 100).toFixed(2)} %`,
];
