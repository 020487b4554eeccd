/**
 * One job as the printer reports it by USTATUS (PJL Technical Reference, "Job separation commands"): its beginning,
 * progress, obstacles and end. It is known by its name, which ends in our attempt's id. Other jobs are not ours, and
 * their end means nothing (INVARIANTS.md B.1, row "raw 9100").
 */
import type { JobReport } from '../../domain/release.ts';
import type { PjlMessage } from './pjl-messages.ts';
import { pjlDevice } from './pjl-messages.ts';

export interface PjlJob {
  /** Takes one message; tells whether it shows that the printer moves. */
  hear(message: PjlMessage): 'moves' | 'stands';
  /** The printer has all of the job, or is just getting the last of it: an end before this does not count. */
  allGiven(): void;
  /** The printer has sent any message. */
  hasSpoken(): boolean;
  /** The printer has answered the question in our envelope: some tell of jobs but answer nothing. */
  hasAnswered(): boolean;
  /** The printer has told of the beginning of our job. */
  hasBegun(): boolean;
  /** The printer counts our pages while they come out. */
  countsPages(): boolean;
  /** The pages that are out; 0 if the printer has told of none. */
  pages(): number;
  /** Present obstacles to printing. */
  obstacles(): readonly string[];
  /** A person has cancelled the job, and its end may still come. */
  isCancelled(): boolean;
  /** The end of the job, once the printer has told it. */
  report(): JobReport | undefined;
  /** The report that counts if the printer says no more. */
  lastWord(): JobReport | undefined;
}

/** The keyword of job-state-reasons (RFC 8011 section 5.3.8) for a RESULT other than OK. */
const reasonsOf: Readonly<Record<string, string>> = {
  USER_CANCELED: 'job-canceled-at-device',
  HOST_CANCELED: 'job-canceled-by-operator',
  RESOURCE_CANCELED: 'resources-are-not-ready',
};

export const pjlJob = (name: string): PjlJob => new ToldJob(name);

class ToldJob implements PjlJob {
  readonly #name: string;
  #isGiven = false;
  #hasSpoken = false;
  #hasAnswered = false;
  #hasBegun = false;
  #isCancelled = false;
  #page = 0;
  #isCounted = false;
  #obstacles: readonly string[] = [];
  #report: JobReport | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  hear(message: PjlMessage): 'moves' | 'stands' {
    this.#hasSpoken = true;
    this.#hasAnswered ||= message.kind === 'device' && message.isAnswer === true;
    return this.#isMovedBy(message) ? 'moves' : 'stands';
  }

  allGiven(): void {
    this.#isGiven = true;
  }

  hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  hasBegun(): boolean {
    return this.#hasBegun;
  }

  countsPages(): boolean {
    return this.#isCounted;
  }

  pages(): number {
    return this.#isCounted ? this.#page : 0;
  }

  obstacles(): readonly string[] {
    return this.#obstacles;
  }

  isCancelled(): boolean {
    return this.#isCancelled;
  }

  report(): JobReport | undefined {
    return this.#report;
  }

  lastWord(): JobReport | undefined {
    return this.#report ?? (this.#isCancelled ? canceled('', {}) : undefined);
  }

  #isMovedBy(message: PjlMessage): boolean {
    switch (message.kind) {
      case 'job':
        return this.#hearJob(message);
      case 'page':
        return this.#hearPage(message.page);
      default:
        return this.#hearDevice(message.code, message.online);
    }
  }

  #hearJob(message: PjlMessage & { kind: 'job' }): boolean {
    if (message.name !== this.#name || this.#report) return false;
    if (message.event === 'START') {
      if (this.#hasBegun) return false;
      this.#hasBegun = true;
      this.#page = 0;
      return true;
    }
    if (message.event === 'CANCELED') {
      const isNews = !this.#isCancelled;
      this.#isCancelled = true;
      return isNews;
    }
    // An end that comes too early does not mean that every page is out.
    if (!this.#isGiven) return false;
    this.#report = reportOf(message, this.#isCancelled);
    return true;
  }

  #hearPage(next: number): boolean {
    if (next <= this.#page) return false;
    this.#page = next;
    this.#isCounted ||= this.#hasBegun;
    // Pages before the job's beginning belong to another job.
    return this.#hasBegun;
  }

  #hearDevice(code: number, online: boolean | undefined): boolean {
    const before = this.#obstacles.length;
    this.#obstacles = pjlDevice(code, online).obstacles;
    return before > 0 && this.#obstacles.length === 0;
  }
}

const canceled = (result: string, counters: Pick<JobReport, 'impressionsCompleted'>): JobReport => ({
  state: 'canceled',
  reasons: [reasonsOf[result] ?? 'job-canceled-at-device'],
  ...counters,
});

function reportOf({ pages, result }: PjlMessage & { kind: 'job' }, wasCancelled: boolean): JobReport {
  const counters = pages === undefined ? {} : { impressionsCompleted: pages };
  const isWhole = !wasCancelled && (result === '' || result === 'OK');
  if (!isWhole) return canceled(result, counters);
  // The printer does not count, or nothing came out: only the transfer of the document is certain.
  return { state: 'completed', reasons: [], ...counters, ...(pages === 0 ? { letGo: 'not-told' } : {}) };
}
