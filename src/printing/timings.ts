/** Every span and rate of printing, each with its reason. `stallSeconds` is the administrator's and comes with the printer. */
import { milliseconds, minutes, seconds } from '../core/duration.ts';

/** A printer that has not answered a request without a document by then is taken as unreachable. */
export const answerLimit = seconds(10);

/** A busy printer is waited for so long before the person is told (reliability.md B.4, 7 Print). */
export const busyLimit = seconds(30);

/** Between two questions to a busy printer: short, because the job before ours may be one page. */
export const busyPause = seconds(1);

/** A job is asked for quickly at first, for one page is out in a second, then at leisure. */
export const jobPolls = { first: milliseconds(200), factor: 1.5, longest: seconds(2) } as const;

/** A printer that vanished after it took everything may come back with the job's end; longer nobody waits. */
export const unreachableLimit = minutes(10);

/** Some printers count nothing while they print; a job that is `processing` there may still be moving for so long. */
export const silentLimit = minutes(10);

/** The end state of a cancelled job: printers stop at the next sheet. */
export const cancelLimit = seconds(15);

/** A connection idle for so long is closed by us, before small printers close it under the next request. */
export const idleConnection = seconds(2);

/** How often a transfer is looked at for a stall. */
export const transferLook = milliseconds(500);

/** For finding and cancelling an empty job; the person is waiting, and its printer may be starting again. */
export const sweepLimit = seconds(30);
