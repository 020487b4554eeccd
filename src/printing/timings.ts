/** Every span and rate of printing, each with its reason. What the administrator sets comes with the printer. */
import { hours, milliseconds, minutes, seconds } from '../core/duration.ts';

/** A printer that speaks, and has not answered a request without a document by then, is taken as unreachable. */
export const answerLimit = seconds(10);

/** What sleeps has woken by then; the first answer of a conversation is waited for so long, connecting included. */
export const wakingLimit = seconds(45);

/** Who is kept waiting longer by a first answer is told why. */
export const wakingNotice = seconds(3);

/** Who broke the connection that woke it is knocked at so often: each second that it is awake is one that somebody waits. */
export const wakingKnock = seconds(1);

/** A printer that was not heard for so long may sleep; few are set to sleep sooner than after a minute. */
export const conversationGap = minutes(1);

/** A busy printer is waited for so long before the person is told (INVARIANTS.md B.4, 7 Print). */
export const busyLimit = seconds(30);

/** A job that is like one the printer has just validated needs no word of its own for so long. */
export const validationHolds = seconds(5);

/** A look at a ready printer serves the next document for so long: less than a sheet takes, so it is one of this moment. */
export const lookHolds = seconds(1);

/** Between two questions to a busy printer: short, because the job before ours may be one page. */
export const busyPause = seconds(1);

/**
 * A job is asked for quickly at first, because spoolers and small documents are done in milliseconds and the next
 * document waits for it, then at leisure: 12 times in the first second, every 2 s from the fourth on.
 */
export const jobPolls = { first: milliseconds(5), factor: 1.5, longest: seconds(2) } as const;

/** A printer that does not answer for so long while it has a job of ours is said to be away. */
export const silenceNotice = milliseconds(2_800);

/** A printer that vanished after it took everything may come back with the job's end; longer nobody waits. */
export const unreachableLimit = minutes(10);

/**
 * `jobStallSeconds: auto`: most printers count their sheets late or never, so a job that the printer is working on may be
 * silent for so long, and for so long besides for each page of it (contract, section 3, "How long a job may stand").
 */
export const silentLimit = minutes(10);
export const silentPage = seconds(30);

/**
 * `stallSeconds: auto`. Nothing of the document is lost where no byte of it was taken: somebody is told soon. In its midst a
 * network that comes back, a switch that starts again, or a full tray that is emptied, saves the whole document.
 */
export const firstByteLimit = seconds(30);
export const nextByteLimit = minutes(2);

/** A job that has not moved for so long has its printer looked at besides, and again as often. */
export const printerLook = seconds(5);

/**
 * A job that has not moved for so long at a printer that names something empty or open, as it did before the job, may
 * stand because of that; and does after so much more for each of its pages. Ink on photo paper takes longer, and counts.
 */
export const doubtfulSilence = seconds(30);
export const slowestPage = seconds(10);

/** A job that its printer has held for so long is not on its way through the queue: somebody has to let it print. */
export const heldNotice = seconds(3);

/**
 * A job that is not found any more was printed where its printer comes to rest by then; and one that never ends, where it
 * has rested for so long with every page counted.
 */
export const restLimit = seconds(30);

/** Some printers add up a job's pages just after they have called it completed. */
export const countLimit = seconds(3);

/** No look at a job, its pause included, takes longer while we run: more was a suspend, or a paused machine. */
export const longestLook = seconds(15);

/** The end state of a cancelled job: printers stop at the next sheet. */
export const cancelLimit = seconds(15);

/** A connection idle for so long is closed by us, before small printers close it under the next request. */
export const idleConnection = seconds(2);

/** How often a transfer is looked at for a stall. */
export const transferLook = milliseconds(500);

/** No turn of it takes longer while we run: more was a suspend, or a paused machine. */
export const longestTransferLook = seconds(2);

/** For finding and cancelling an empty job; the person is waiting, and its printer may be starting again. */
export const sweepLimit = seconds(30);

/** A raw printer that is free answers an inquiry, or closes after it, by then (INVARIANTS.md T29). */
export const inquiryLimit = seconds(1);

/** A raw printer that did not answer is not asked again for so long: whoever stands there would wait each time. */
export const muteSpan = hours(1);

/**
 * How long a document may keep its printer waiting for the next byte of its download: twice what it takes to see that
 * a download has stalled (INVARIANTS.md B.3: 15 s), so that it can be resumed, and less than the least
 * `multiple-operation-time-out` that RFC 8011 recommends (60 s), after which a printer may take the job for dead.
 */
export const hungerLimit = seconds(30);

/** A spooler that has gone is called so often at first: each millisecond that it is back is one in which it prints again. */
export const returnPause = milliseconds(2);

/** For so long; a service manager has started it again by then. */
export const returnHaste = seconds(10);

/** Then so often, as long as a job of ours may be in its hands. */
export const returnLeisure = milliseconds(250);

/** Spoolers leave a connection alone on which nothing is said for longer than this: one that ends sooner was not idle. */
export const leastIdleLimit = minutes(1);

/** When a spooler is looked into once more for the document of a job that was cancelled before it came. */
export const belatedLooks = [milliseconds(100), milliseconds(400), seconds(2)] as const;

/** Within it a raw printer that takes nobody in at the moment is heard to put us out again: some ways over a slow network. */
export const takingMoment = milliseconds(100);

/** Whether all is acknowledged is looked for quickly at first, because it mostly is, then at leisure. */
export const takenPolls = { first: milliseconds(1), factor: 1.5, longest: milliseconds(500) } as const;

/**
 * A printer that tells of its jobs tells of a beginning when it reads the name, which stands right behind the question that
 * it has answered.
 */
export const beginningLimit = seconds(3);
