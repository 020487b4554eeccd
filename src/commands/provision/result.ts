/** The result of `platen provision` for one thing. */
import { printable } from '../../core/text/printable.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { CommandFailed } from '../failure.ts';
import type { PortPlan } from './plan.ts';

export interface Done {
  readonly state: PortPlan['kind'] | 'created' | 'changed' | 'failed';
  readonly outputPortId?: number;
  readonly detail: string;
}

/** For the output port of a terminal, or (`about`) for a thing that all terminals share. */
export type Result = Done &
  (
    | { readonly terminal: string; readonly about?: undefined }
    | { readonly about: 'container' | 'terminal config'; readonly terminal?: undefined }
  );

export const needsPerson = ({ state }: Done): boolean => state === 'failed' || state === 'unclear';

/** A failure is one result, and the next thing is still done. */
export async function unlessFailed(done: Promise<Done>): Promise<Done> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof CommandFailed) return { state: 'failed', detail: error.message };
    if (!isProblem(error)) throw error;
    const doubt =
      error.delivery === 'perhaps'
        ? ' The service may have made the change. Run this command again to see.'
        : '';
    return { state: 'failed', detail: `${error.message}. ${error.advice}${doubt}` };
  }
}

export const lineOf = ({ terminal, about, detail }: Result): string =>
  printable(`${terminal ?? about}: ${detail}`);
