/** How long a receiver is waited for, and when it is tried again. */
import { minutes, seconds } from '../core/duration.ts';
import type { RetrySchedule } from '../core/retry-schedule.ts';

/** Of one message, its answer included. */
export const callLimit = seconds(30);

export const retry: RetrySchedule = { first: seconds(5), factor: 2, longest: minutes(15) };
