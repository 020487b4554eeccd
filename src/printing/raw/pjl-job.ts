/**
 * One job as the printer tells of it by USTATUS (PJL Technical Reference, "Job separation commands"): begun, moving,
 * hindered, ended. Known by its name, which ends in our attempt's id; jobs of other names are not ours, and their end
 * means nothing (INVARIANTS.md B.1, row "raw 9100").
 */
import type { JobReport } from '../../domain/release.ts';
import type { PjlMessage } from './pjl-messages.ts';
import { pjlDevice } from './pjl-status.ts';

export interface PjlJob {
  /** Takes one message in; tells whether it shows that the printer moves. */
  hear(message: PjlMessage): 'moves' | 'stands';
  /** From now on the printer has, or is just being given, all of the job: only now can it end. */
  allGiven(): void;
  /** The printer has said anything at all. */
  hasSpoken(): boolean;
  /** It has answered the question in our envelope: some tell of jobs, and answer nothing. */
  hasAnswered(): boolean;
  /** The printer has told of our job. */
  hasBegun(): boolean;
  /** The printer counts our pages while they come out. */
  countsPages(): boolean;
  /** So many of them are out; 0 while it has told of none. */
  pages(): number;
  /** What keeps it from printing at the moment. */
  obstacles(): readonly string[];
  /** Somebody has cancelled it, and its end may still come. */
  isCancelled(): boolean;
  /** Its end, once the printer has told it. */
  report(): JobReport | undefined;
  /** What is to be believed of it when the printer says no more. */
  lastWord(): JobReport | undefined;
}

/** The keyword of job-state-reasons, RFC 8011 section 5.3.8, for a RESULT that is not OK. */
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
    // An end before the end: whatever that printer means, it is not that every page is out.
    if (!this.#isGiven) return false;
    this.#report = reportOf(message, this.#isCancelled);
    return true;
  }

  #hearPage(next: number): boolean {
    if (next <= this.#page) return false;
    this.#page = next;
    this.#isCounted ||= this.#hasBegun;
    // Pages before its beginning are those of somebody else.
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
  // It does not count, or nothing came out: that it has the document is all that is known.
  return { state: 'completed', reasons: [], ...counters, ...(pages === 0 ? { letGo: 'not-told' } : {}) };
}
