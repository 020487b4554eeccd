/**
 * What a printer of IPP does in its own way, as it was remembered with its identity or as it says itself, and what
 * follows from each for the promise of a release (INVARIANTS.md B.1): for programs, and in words.
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
  /** What it does, and after a colon what follows. */
  readonly follows: string;
}

export interface HabitCase {
  readonly habits: PrinterHabits;
  readonly description: Pick<PrinterDescription, 'capabilities' | 'jobQuestions'>;
  /** Counters of a spooler are not the device's own. */
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
      : [shown('version', version, `is understood in IPP/${version}: it is asked in that`)]),
    ...(refusesNames.length === 0
      ? []
      : [shown('refusesNames', refusesNames, `refuses ${listed(refusesNames)}: ${leftOut(refusesNames)}`)]),
    ...(cutsNamesAt === undefined
      ? []
      : [
          shown(
            'cutsNamesAt',
            cutsNamesAt,
            `cuts job-names after ${cutsNamesAt} octets: the release's id stands in front`,
          ),
        ]),
    ...(hangsUp ? [hangUp] : []),
    ...(refusesGzip ? [gzipRefused] : []),
    ...(description.capabilities?.inOneStep ? [oneStep] : []),
    ...(description.jobQuestions ? questions(description.jobQuestions, seen) : []),
  ];
}

/** Its jobs are not followed to their ends: what is not in the list of those that have ended by then is handed over. */
export const isSilentOnJobs = ({ job }: JobQuestions): boolean => isRefused(job);

/** Nothing of a job is told, nor of those that have ended. */
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
        'counts pages while it prints: a job given up with 0 counted is known to have printed nothing',
      )
    : shown(
        'counts',
        'unknown',
        'is not known to count pages while it prints: a job given up in its midst with 0 counted is unknown',
      );

const hangUp = shown(
  'hangsUp',
  true,
  'closes connections after an answer and does not announce it: each request gets a connection of its own',
);

const gzipRefused = shown(
  'refusesGzip',
  true,
  'lists gzip and refuses a document that comes so: every document goes out as it is',
);

const oneStep = shown(
  'oneStep',
  true,
  'takes a document by Print-Job alone: where its answer is lost and no job of that name is found, the release is unknown',
);

function questions({ job, list }: JobQuestions, { requireConfirmation }: HabitCase): readonly ShownHabit[] {
  const counts = requireConfirmation ? 'counts as unknown, because of requireConfirmation' : 'is handed over';
  if (tellsNothing({ job, list })) {
    return [
      shown(
        'jobQuestions',
        job,
        `cannot be asked about its jobs (${job}, of the list ${list}): what it took in full ${counts}`,
      ),
    ];
  }
  if (isRefused(job)) {
    return [
      shown(
        'jobQuestions',
        job,
        `refuses questions about a job (${job}): its list of ended jobs is asked once, and what is not in it ${counts}`,
      ),
    ];
  }
  if (job === 'unknown') {
    return [shown('jobQuestions', job, 'did not say whether it can be asked about jobs: ask again later')];
  }
  return [
    shown('jobQuestions', job, 'answers questions about jobs: each is followed to its end'),
    ...(isRefused(list)
      ? [
          shown(
            'jobLists',
            list,
            `does not list its jobs (${list}): after a lost answer no job of ours can be looked for`,
          ),
        ]
      : []),
  ];
}

const listed = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);

const leftOut = ({ length }: readonly string[]): string =>
  length === 1 ? 'it is left out' : 'they are left out';
