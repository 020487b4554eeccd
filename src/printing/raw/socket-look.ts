/**
 * What is known of the manners of one raw printer: whether it answers in PJL, closes what it has served, and tells of its
 * jobs. Only one that has answered is asked how it is before a document, for one without PJL would print the question;
 * whether it answers is learned from a question within a document's own envelope. One that once answered and now does
 * not is serving somebody else; one that never did is taken as it is.
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { longest } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { Problem } from '../../domain/problem.ts';
import type { PjlJob } from './pjl-job.ts';
import type { PjlDevice } from './pjl-status.ts';
import { statusInquiry } from './pjl.ts';
import type { SocketConnection } from './socket-connection.ts';
import { inquire } from './socket-inquiry.ts';
import { inquiryLimit, muteSpan } from '../timings.ts';

export interface SocketLook {
  /**
   * `undefined`: it said nothing, and stands in nobody's way. Rejects `printer-busy` when it serves somebody else for
   * longer than the wait, and `printer-unreachable`.
   */
  at(connection: SocketConnection, wait: Duration, call: CallOptions): Promise<PjlDevice | undefined>;
  /** `undefined`: it was never asked. */
  answers(): boolean | undefined;
  /** It is worth asking to tell how a job goes; one that was mute is tried again after a while. */
  tellsJobs(): boolean;
  /** It was given a whole job, and asked to tell of it. */
  learn(job: PjlJob): void;
}

const noQuestion = Buffer.alloc(0);

export function socketLook({ clock, pjl }: { clock: Clock; pjl: 'auto' | 'off' }): SocketLook {
  let talks: boolean | undefined;
  let closes = false;
  let untoldUntil = 0;
  const now = () => clock.monotonic();

  return {
    async at(connection, wait, call) {
      const isAsked = talks === true;
      const knowsUs = talks === true || closes;
      const sighting = await inquire(
        clock,
        {
          connection,
          question: isAsked ? statusInquiry : noQuestion,
          wait: knowsUs ? longest(wait, inquiryLimit) : inquiryLimit,
        },
        call,
      );
      if (sighting.kind === 'answered') return sighting.device;
      if (sighting.kind === 'held' && knowsUs) throw taken();
      if (sighting.kind === 'broken') throw broken(sighting.cause);
      closes ||= sighting.kind === 'closed';
      if (isAsked) talks = false;
      return undefined;
    },
    answers: () => talks,
    tellsJobs: () => pjl === 'auto' && now() >= untoldUntil,
    learn(job) {
      talks = job.hasSpoken();
      if (!job.hasBegun()) untoldUntil = now() + muteSpan;
    },
  };
}

const taken = () => new Problem('printer-busy', 'the printer serves somebody else', { delivery: 'not-sent' });

const broken = (cause: unknown) =>
  new Problem('printer-unreachable', 'the printer breaks the connection', { cause, delivery: 'not-sent' });
