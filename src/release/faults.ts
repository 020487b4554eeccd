/**
 * The consequences of a fault on the way out. There is one table, and the first row that applies decides (INVARIANTS.md
 * B.1, "What may be sent again by itself"). Nothing is sent after a fault (I1).
 */
import { isUnsettled } from '../domain/problem/problem.ts';
import type { Fault, Learned, Known } from './context.ts';
import { asReleaseProblem, brokenOff } from './problems.ts';
import { goesAtOnce, now } from './step.ts';

/** If something may be left at the printer, it is looked for and cancelled before the end is recorded. */
export const follows = {
  'nothing-out': 'settling',
  unsettled: 'cleaning',
  'claim-lost': 'cleaning',
  stood: 'cleaning',
  unseen: 'settling',
} as const satisfies Record<Fault, 'settling' | 'cleaning'>;

interface Row {
  readonly during: 'gettingReady' | 'committing' | 'sending' | 'following';
  readonly when: string;
  readonly applies?: (known: Known, error: unknown) => boolean;
  readonly fault: Fault;
  /** The part that went out before the fault counts, and the wait for the printer begins at the fault. */
  readonly isBrokenOff?: true;
}

export const faultTable: readonly Row[] = [
  { during: 'gettingReady', when: 'anything', fault: 'nothing-out' },
  {
    during: 'committing',
    when: 'the claim was raised meanwhile, or the ledger cannot write: the job is empty',
    applies: ({ job }) => job !== undefined,
    fault: 'claim-lost',
  },
  {
    during: 'committing',
    when: 'the answer of Create-Job was lost: there may be an empty job',
    applies: (known, error) => known.intendedAt !== undefined && isJobNext(known) && isUnsettled(error),
    fault: 'unsettled',
  },
  { during: 'committing', when: 'anything else: no byte has gone out', fault: 'nothing-out' },
  {
    during: 'sending',
    when: 'all went out with the job, and the ledger cannot write its id',
    applies: ({ sent }) => sent === 'all',
    fault: 'unsettled',
  },
  {
    during: 'sending',
    when: 'Print-Job was refused: there is no job',
    applies: (known, error) => goesAtOnce(known) && !isUnsettled(error),
    fault: 'nothing-out',
  },
  { during: 'sending', when: 'anything else: it broke off', fault: 'unsettled', isBrokenOff: true },
  {
    during: 'following',
    when: 'the job stood for too long',
    applies: (_, error) => asReleaseProblem(error).code === 'printer-stalled',
    fault: 'stood',
  },
  { during: 'following', when: 'anything else: nobody can say more', fault: 'unseen' },
];

export function faultDuring(during: Row['during'], known: Known, error: unknown): Learned {
  const row = faultTable.find((one) => one.during === during && one.applies?.(known, error) !== false);
  if (row === undefined) throw error;
  const { fault, isBrokenOff } = row;
  return isBrokenOff
    ? { fault, ...brokenOff(error), outAt: now(known) }
    : { fault, problem: asReleaseProblem(error) };
}

/** The printer must create a job before the document goes out. */
export const isJobNext = (known: Known): boolean =>
  !goesAtOnce(known) && known.world.printer().kind === 'jobs';
