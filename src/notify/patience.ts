/** How long the agent waits for a receiver, and when it tries again. */
import { minutes, seconds } from '../core/duration.ts';
import type { RetrySchedule } from '../core/retry-schedule.ts';

/** For one message and its answer. */
export const callLimit = seconds(30);

export const retry: RetrySchedule = { first: seconds(5), factor: 2, longest: minutes(15) };
