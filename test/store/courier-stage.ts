/** A courier at work over a real outbox, and the service's history resource as a test lays it out. */
import type { Duration } from '../../src/core/duration.ts';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import type { Condition } from '../../src/domain/condition.ts';
import type { HistoryRecord } from '../../src/domain/history.ts';
import type { CallOptions } from '../../src/domain/ports/call.ts';
import type { HistoryRecords } from '../../src/domain/ports/service.ts';
import type { Wills } from '../../src/domain/ports/wills.ts';
import type { ProblemOptions } from '../../src/domain/problem/problem.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { ServiceTime } from '../../src/domain/service-time.ts';
import { Courier } from '../../src/store/outbox/courier.ts';
import type { OutboxRow } from '../../src/store/outbox/outbox.ts';
import type { OutboxSize } from '../../src/store/outbox/outbox-room.ts';
import type { SteeredClock } from '../support/steered-clock.ts';
import { recordLog } from '../support/recorded-log.ts';
import { openBooks } from '../support/store/books.ts';

interface CourierStage {
  /** Of an agent before. */
  readonly directory?: string;
  readonly clock?: SteeredClock;
  readonly bootId?: string;
  readonly capacity?: OutboxSize;
  /** How often the disk is too full to delete what was accepted. */
  readonly deletesRefused?: number;
  readonly records?: HistoryRecords;
  readonly serviceTime?: ServiceTime;
  portIdOf?(row: OutboxRow): number | undefined;
  /** How long the disk works on it when the log is scrubbed. */
  readonly scrubTakes?: Duration;
  /** What the service does with a record besides. */
  readonly wills?: Wills;
  readonly whilePosting?: (signal: AbortSignal) => Promise<void>;
  /** How long the disk works until the books are on it; no time unless said. */
  readonly durable?: () => Promise<void>;
}

export const takes = () => undefined;

/** The service's history resource: takes records, or answers as the test says, and keeps what it was sent. */
export function startCourier({
  deletesRefused = 0,
  records,
  serviceTime = { at: () => undefined },
  portIdOf = () => 7,
  capacity,
  directory,
  clock,
  bootId,
  scrubTakes = milliseconds(0),
  wills,
  whilePosting = () => Promise.resolve(),
  durable = async () => {},
}: CourierStage = {}) {
  const stop = new AbortController();
  const books = openBooks({
    ...(capacity ? { capacity } : {}),
    ...(directory === undefined ? {} : { directory }),
    ...(clock ? { clock } : {}),
    ...(bootId === undefined ? {} : { bootId }),
    durable,
  });
  const recorded = recordLog();
  const sent: { release: number; at: number }[] = [];
  const taken: number[] = [];
  /** `datetime` of each post. */
  const times: string[] = [];
  /** So many pages each post counts. */
  const pages: (number | undefined)[] = [];
  /** Seconds since the start. */
  const scrubbed: number[] = [];
  const conditions = new Map<string, Condition>();
  let answer: (release: number) => Problem | undefined = takes;
  let inFlight = 0;
  let mostInFlight = 0;
  const start = books.clock.monotonic();

  const { outbox } = books;
  const [accepted, scrub] = [outbox.accepted.bind(outbox), outbox.scrub.bind(outbox)];
  const forgetGone = outbox.forgetGone.bind(outbox);
  let forgetting = Promise.resolve();
  Object.assign(outbox, {
    accepted(id: number) {
      if ((deletesRefused -= 1) >= 0) throw new Problem('store-refused', 'full');
      accepted(id);
    },
    // The disk takes its time, which this clock does not tell.
    async forgetGone() {
      forgetting = forgetting.then(forgetGone);
    },
    scrub() {
      scrubbed.push((books.clock.monotonic() - start) / 1000);
      books.clock.spend(scrubTakes);
      scrub();
    },
  });
  const courier = new Courier({
    ...books,
    records,
    serviceTime,
    portIdOf,
    wills,
    log: recorded.log,
    chance: {
      bytes: (count) => Buffer.alloc(count),
      uuid: () => '00000000-0000-4000-8000-000000000000',
      jitter: (span) => span,
    },
    conditions: {
      raise: (condition) => void conditions.set(condition.subject, condition),
      clear: (_scope, subject) => void conditions.delete(subject),
    },
    poster: {
      async post(record: HistoryRecord, { signal }: CallOptions) {
        const number = Number(record.dateTime.slice(17, 19));
        times.push(record.dateTime);
        pages.push(record.totalPages);
        inFlight += 1;
        mostInFlight = Math.max(mostInFlight, inFlight);
        sent.push({ release: number, at: (books.clock.monotonic() - start) / 1000 });
        await whilePosting(signal);
        inFlight -= 1;
        const refusal = answer(number);
        if (refusal) throw refusal;
        taken.push(number);
      },
    },
  });
  let ended: unknown;
  const run = courier.run(stop.signal).catch((error: unknown) => {
    ended = error;
  });

  return {
    ...books,
    sent,
    taken,
    times,
    pages,
    scrubbed,
    conditions,
    recorded,
    retryNow: () => courier.retryNow(),
    async stop() {
      stop.abort();
      await run;
    },
    mostInFlight: () => mostInFlight,
    ended: () => ended,
    answer(next: (release: number) => Problem | undefined) {
      answer = next;
    },
    async pass(span: Duration = seconds(0)) {
      await books.clock.advance(span);
      await books.clock.advance(seconds(0));
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await run;
      await forgetting.catch(() => {});
      books[Symbol.dispose]();
    },
  };
}

export const always =
  (code: ProblemCode, options: ProblemOptions = {}) =>
  () =>
    new Problem(code, 'no', options);
