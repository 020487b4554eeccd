/**
 * Peculiarities of an IPP printer, and the result of each for the promise of a release (INVARIANTS.md B.1): for
 * programs, and in words. They were remembered with its identity, or the printer reports them.
 */
import type { PrinterHabits } from '../../../domain/ports/printer-memory.ts';
import type { JobQuestions, PrinterDescription } from '../../../domain/ports/printer-description.ts';

export interface ShownHabit {
  readonly habit:
    | 'counts'
    | 'version'
    | 'refusesNames'
    | 'cutsNamesAt'
    | 'hangsUp'
    | 'refusesGzip'
    | 'oneStep'
    | 'jobQuestions'
    | 'jobLists';
  readonly value: string | number | boolean | readonly string[];
  /** The peculiarity and, after a colon, its result. */
  readonly follows: string;
}

export interface HabitCase {
  readonly habits: PrinterHabits;
  readonly description: Pick<PrinterDescription, 'capabilities' | 'jobQuestions'>;
  /** The counters are those of a spooler, not of the device. */
  readonly isSpooler: boolean;
  readonly requireConfirmation: boolean;
}

export function shownHabits(seen: HabitCase): readonly ShownHabit[] {
  const { habits, description, isSpooler } = seen;
  const { version, refusesNames = [], cutsNamesAt, hangsUp = false, refusesGzip = false } = habits;
  return [
    ...(isSpooler ? [] : [counting(habits)]),
    ...(version === undefined || version === '2.0'
      ? []
      : [shown('version', version, `understands IPP/${version}, so Platen asks in this version`)]),
    ...(refusesNames.length === 0
      ? []
      : [shown('refusesNames', refusesNames, `refuses ${listed(refusesNames)}: ${leftOut(refusesNames)}`)]),
    ...(cutsNamesAt === undefined
      ? []
      : [
          shown(
            'cutsNamesAt',
            cutsNamesAt,
            `cuts job-names after ${cutsNamesAt} octets, so Platen writes the release's id in front`,
          ),
        ]),
    ...(hangsUp ? [hangUp] : []),
    ...(refusesGzip ? [gzipRefused] : []),
    ...(description.capabilities?.inOneStep ? [oneStep] : []),
    ...(description.jobQuestions ? questions(description.jobQuestions, seen) : []),
  ];
}

/** Platen cannot follow these jobs to their ends. A job that is not in the list of ended jobs counts as handed over. */
export const isSilentOnJobs = ({ job }: JobQuestions): boolean => isRefused(job);

/** The printer tells nothing about a job, and nothing about ended jobs. */
const tellsNothing = ({ job, list }: JobQuestions): boolean => isRefused(job) && isRefused(list);

const isRefused = (answer: string): boolean => answer !== 'answers' && answer !== 'unknown';

const shown = (habit: ShownHabit['habit'], value: ShownHabit['value'], follows: string): ShownHabit => ({
  habit,
  value,
  follows,
});

const counting = ({ counts }: PrinterHabits): ShownHabit =>
  counts === 'while-printing'
    ? shown(
        'counts',
        counts,
        'counts pages while it prints: if a job ends early with 0 counted, nothing was printed',
      )
    : shown(
        'counts',
        'unknown',
        'perhaps does not count pages while it prints: if a job ends early with 0 counted, the release is unknown',
      );

const hangUp = shown(
  'hangsUp',
  true,
  'closes connections after an answer without notice, so Platen uses a new connection for each request',
);

const gzipRefused = shown(
  'refusesGzip',
  true,
  'lists gzip but refuses a compressed document, so Platen sends every document uncompressed',
);

const oneStep = shown(
  'oneStep',
  true,
  'accepts a document only by Print-Job: if its answer is lost and Platen finds no job of that name, the release is unknown',
);

function questions({ job, list }: JobQuestions, { requireConfirmation }: HabitCase): readonly ShownHabit[] {
  const counts = requireConfirmation ? 'counts as unknown, because of requireConfirmation' : 'is handed over';
  if (tellsNothing({ job, list })) {
    return [
      shown(
        'jobQuestions',
        job,
        `does not answer questions about its jobs (${job}, for the list ${list}): a document that it accepted completely ${counts}`,
      ),
    ];
  }
  if (isRefused(job)) {
    return [
      shown(
        'jobQuestions',
        job,
        `refuses questions about a job (${job}), so Platen asks once for its list of ended jobs: a document that is not in it ${counts}`,
      ),
    ];
  }
  if (job === 'unknown') {
    return [
      shown('jobQuestions', job, 'did not say whether it answers questions about jobs: run this again later'),
    ];
  }
  return [
    shown('jobQuestions', job, 'answers questions about jobs, so Platen follows each job to its end'),
    ...(isRefused(list)
      ? [
          shown(
            'jobLists',
            list,
            `does not list its jobs (${list}), so Platen cannot search for a job after a lost answer`,
          ),
        ]
      : []),
  ];
}

const listed = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);

const leftOut = ({ length }: readonly string[]): string =>
  length === 1 ? 'Platen leaves it out' : 'Platen leaves them out';
