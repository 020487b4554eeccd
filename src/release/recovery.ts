/**
 * The next step for a release that a restart found open, by one table (INVARIANTS.md B.1). Nothing is ever sent (I1).
 * The releases of a vanished member of the fleet are settled the same way (F6). Other members may know of the release,
 * too; its claim tells which member has it.
 */
import { seconds } from '../core/duration.ts';
import type { Sent } from '../domain/printer/job-verdict.ts';
import { isSamePrinter } from '../domain/printer/printer-address.ts';
import type { OpenState } from '../domain/release.ts';
import { askForClaim } from './claiming.ts';
import type { Learned, Known } from './context.ts';
import { documentUuidOf } from './context.ts';
import { abandoned, brokenByEnd, claimLost, outOfSight } from './problems.ts';
import { handedOver } from './sending.ts';
import type { Step } from './step.ts';

/** The pause between two questions to an engine that is away (F12: healed within 5 s of its return). */
const askAgain = seconds(2);

/** While the owner of the claim is not known, nothing is done with the release. */
export const resume: Step = async (known, signal) => {
  for (;;) {
    try {
      const { isLeftToSuccessor } = await askForClaim(known, signal);
      return isLeftToSuccessor ? leftToSuccessor(known) : {};
    } catch {
      await known.world.clock.sleep(askAgain, { signal });
    }
  }
};

/** Another member has raised the claim. That member settles the release and records it. */
export function leftToSuccessor(known: Known): Learned {
  const { log, terminal, releaseId } = known;
  log.warn('claim refused', { terminal, releaseId, documentUuid: documentUuidOf(known), code: 'claim-lost' });
  return { isLeftToSuccessor: true, fault: 'unseen', verdict: 'UNKNOWN', problem: claimLost() };
}

export const leftByRestart = (known: Known): Learned =>
  openTable.find(({ applies }) => applies(known))?.learns(known) ?? nothingOut();

interface Row {
  readonly applies: (known: Known) => boolean;
  readonly learns: (known: Known) => Learned;
}

const isLeftAt =
  (...states: readonly OpenState[]) =>
  ({ resumed }: Known): boolean =>
    resumed !== undefined && states.includes(resumed.state);

const takesBytes = ({ world }: Known): boolean => world.printer().kind === 'bytes';

/** The intent names another printer than the terminal has now. */
const isAnotherPrinters = ({ resumed, world }: Known): boolean =>
  resumed?.printerUri !== undefined && !isSamePrinter(resumed.printerUri, world.printer().uri);

/** The agent crashed several times with this document in hand. */
const mayNotBeAsked = ({ isAskedAbout, resumed }: Known): boolean =>
  !isAskedAbout && resumed?.printerUri !== undefined;

/** Only the printer knows what a vanished member sent. */
const sentBefore = ({ resumed }: Known): Sent => (resumed?.from === undefined ? 'some' : 'unseen');

/** The printer cannot be asked, or must not be asked. */
const staysUnknown = (): Learned => ({ fault: 'unseen', verdict: 'UNKNOWN', problem: outOfSight() });
const nothingOut = (): Learned => ({ fault: 'nothing-out', problem: abandoned() });
const isBrokenOff = (known: Known): Learned => ({
  fault: 'unsettled',
  sent: sentBefore(known),
  problem: brokenByEnd(),
});

/** The first row that applies decides. If none applies, nothing came out. */
const openTable: readonly Row[] = [
  // The user's token for the service is gone.
  { applies: isLeftAt('SERVICE-INTENT'), learns: staysUnknown },
  { applies: isAnotherPrinters, learns: staysUnknown },
  { applies: (known) => takesBytes(known) && isLeftAt('INTENT')(known), learns: staysUnknown },
  {
    applies: (known) => takesBytes(known) && isLeftAt('SENT')(known),
    learns: (known) => ({ fault: 'unseen', ...handedOver(known) }),
  },
  { applies: mayNotBeAsked, learns: staysUnknown },
  {
    applies: ({ resumed }) => resumed?.state === 'INTENT' && resumed.inOneStep === true,
    learns: isBrokenOff,
  },
  { applies: isLeftAt('INTENT'), learns: () => ({ fault: 'unsettled', problem: abandoned() }) },
  { applies: isLeftAt('JOB'), learns: isBrokenOff },
  { applies: isLeftAt('SENT'), learns: () => ({ sent: 'all' }) },
];
