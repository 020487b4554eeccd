/** Every span and rate of printing, each with its reason. `stallSeconds` is the administrator's and comes with the printer. */
import { hours, milliseconds, minutes, seconds } from '../core/duration.ts';

/** A printer that has not answered a request without a document by then is taken as unreachable. */
export const answerLimit = seconds(10);

/** A busy printer is waited for so long before the person is told (reliability.md B.4, 7 Print). */
export const busyLimit = seconds(30);

/** A job that is like one the printer has just validated needs no word of its own for so long. */
export const validationHolds = seconds(5);

/** Between two questions to a busy printer: short, because the job before ours may be one page. */
export const busyPause = seconds(1);

/**
 * A job is asked for quickly at first, because spoolers and small documents are done in milliseconds and the next
 * document waits for it, then at leisure: 12 times in the first second, every 2 s from the fourth on.
 */
export const jobPolls = { first: milliseconds(5), factor: 1.5, longest: seconds(2) } as const;

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

/** A raw printer that is free answers an inquiry, or closes after it, by then (reliability.md T29). */
export const inquiryLimit = seconds(1);

/** A raw printer that did not answer is not asked again for so long: whoever stands there would wait each time. */
export const muteSpan = hours(1);

/**
 * How long a document may keep its printer waiting for the next byte of its download: twice what it takes to see that
 * a download has stalled (reliability.md B.3: 15 s), so that it can be resumed, and less than the least
 * `multiple-operation-time-out` that RFC 8011 recommends (60 s), after which a printer may take the job for dead.
 */
export const hungerLimit = seconds(30);
