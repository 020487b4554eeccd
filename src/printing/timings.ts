/** Every span and rate of printing, with its reason. Spans that an administrator sets come with the printer. */
import { hours, milliseconds, minutes, seconds } from '../core/duration.ts';

/**
 * If a printer that has spoken before does not answer a request without a document in this time, it counts as
 * unreachable.
 */
export const answerLimit = seconds(10);

/** A sleeping printer is awake by then: the limit for the first answer of a conversation, connecting included. */
export const wakingLimit = seconds(45);

/** If the first answer takes longer, the user is told why. */
export const wakingNotice = seconds(3);

/** A printer that broke the connection that woke it is tried again this often, because a user waits. */
export const wakingKnock = seconds(1);

/** A printer that was silent for this time may sleep; few are set to sleep after less than a minute. */
export const conversationGap = minutes(1);

/** A busy printer is awaited for this time before the user is told (INVARIANTS.md B.4, 7 Print). */
export const busyLimit = seconds(30);

/** For this time, a job like one that the printer has just validated is not validated again. */
export const validationHolds = seconds(5);

/** For this time, a look at a ready printer also serves the next document. It is less than one sheet takes. */
export const lookHolds = seconds(1);

/** The pause between two questions to a busy printer; short, because the job before ours may be one page. */
export const busyPause = seconds(1);

/**
 * The pauses between looks at a job. They are short at first, because spoolers and small documents need milliseconds
 * and the next document waits. There are 12 looks in the first second, and one every 2 s from the fourth second on.
 */
export const jobPolls = { first: milliseconds(5), factor: 1.5, longest: seconds(2) } as const;

/** A printer that does not answer for this time while it has a job of ours is shown as away. */
export const silenceNotice = milliseconds(2_800);

/**
 * A printer that vanished after it took everything may come back with the job's end; after this time it is no longer
 * awaited.
 */
export const unreachableLimit = minutes(10);

/**
 * `jobStallSeconds: auto` (contract, section 3, "How long a job may stand"). Most printers count their sheets late or
 * never. So a job in work may be silent for the first span plus the second span for each page.
 */
export const silentLimit = minutes(10);
export const silentPage = seconds(30);

/**
 * `stallSeconds: auto`. If no byte was taken, nothing of the document is lost, so the user is told soon. Later, the
 * whole document is saved if the network returns, a switch restarts, or a full tray is emptied.
 */
export const firstByteLimit = seconds(30);
export const nextByteLimit = minutes(2);

/** If a job has not moved for this time, its printer is looked at too, and again after each such span. */
export const printerLook = seconds(5);

/**
 * The printer names something empty or open, as it did before the job. After the first span without movement the job
 * may stand because of that. After the second span for each of its pages, it does. Ink on photo paper takes longer, and
 * counts.
 */
export const doubtfulSilence = seconds(30);
export const slowestPage = seconds(10);

/** A job that its printer has held for this time is not just queued: a person has to let it print. */
export const heldNotice = seconds(3);

/**
 * If a job is no longer found and its printer is idle by then, the job was printed. If a job never ends but every page
 * is counted and the printer was idle for this time, it was printed too.
 */
export const restLimit = seconds(30);

/** Some printers add up a job's pages just after they have called it completed. */
export const countLimit = seconds(3);

/**
 * A look at a job, with its pause, never takes longer while the process runs; a longer time was a suspend or a paused
 * machine.
 */
export const longestLook = seconds(15);

/** The limit for the end state of a cancelled job: printers stop at the next sheet. */
export const cancelLimit = seconds(15);

/** Platen closes a connection that was idle for this time, before a small printer closes it during the next request. */
export const idleConnection = seconds(2);

/** How often a transfer is checked for a stall. */
export const transferLook = milliseconds(500);

/** One check never takes longer while the process runs; a longer time was a suspend or a paused machine. */
export const longestTransferLook = seconds(2);

/** For finding and cancelling an empty job: the user is waiting, and the printer may be restarting. */
export const sweepLimit = seconds(30);

/** A free raw printer answers a question, or closes after it, within this time (INVARIANTS.md T29). */
export const inquiryLimit = seconds(1);

/** A raw printer that did not answer is not asked again for this time, because the user would wait each time. */
export const muteSpan = hours(1);

/**
 * How long a document may keep its printer waiting for the next byte of its download. It is twice the time in which a
 * stalled download is noticed (INVARIANTS.md B.3: 15 s), so that the download can be resumed. It is less than the least
 * `multiple-operation-time-out` that RFC 8011 recommends (60 s), after which a printer may give the job up.
 */
export const hungerLimit = seconds(30);

/** A spooler that has gone is called this often at first, because it prints the job again as soon as it is back. */
export const returnPause = milliseconds(2);

/** The time for these quick calls; a service manager has restarted the spooler by then. */
export const returnHaste = seconds(10);

/** After that it is called this often, as long as it may have a job of ours. */
export const returnLeisure = milliseconds(250);

/**
 * Spoolers keep a silent connection for longer than this: a connection that ends sooner was not closed for being idle.
 */
export const leastIdleLimit = minutes(1);

/** When a spooler is checked again for the document of a job that was cancelled before the document came. */
export const belatedLooks = [milliseconds(100), milliseconds(400), seconds(2)] as const;

/**
 * A raw printer that cannot serve us closes the connection within this time; it is several round trips of a slow
 * network.
 */
export const takingMoment = milliseconds(100);

/** The pauses between checks that everything is acknowledged: short at first, because mostly it is. */
export const takenPolls = { first: milliseconds(1), factor: 1.5, longest: milliseconds(500) } as const;

/**
 * A printer that tells of its jobs reports the beginning when it reads the name, which directly follows the question
 * that it has answered.
 */
export const beginningLimit = seconds(3);
