/**
 * From the login to the last page, as the states of `machine.ts`: the person's documents are listed, and on their way.
 * `choosing.ts` has the list at which the person chooses. A word counts only for the view that the screen shows now. A
 * word to an older view, or a word said twice, does nothing (INVARIANTS.md B.1, UNKNOWN on screen; D2, I3; B.4, 7).
 */
import { assign } from 'xstate';
import { logFailure, serviceFailure } from '../domain/problem/service-failure.ts';
import { withStages } from './session-progress.ts';
import type { TerminalContext } from './context.ts';
import type { In, Told } from './endings.ts';
import {
  apologise,
  beginsCountdown,
  closes,
  endBy,
  endsSoon,
  leaves,
  logsOut,
  nextPerson,
  notes,
  ofSession,
  staysOn,
  timesOut,
} from './endings.ts';
import { afterEnd, freshList, isAllDone, offersNothing, staleList } from './list.ts';
import { notAsAsked } from './notices.ts';
import { speaksOn } from './person/language.ts';
import { offersStandIn } from './printers/instead.ts';
import { terminalSetup } from './setup.ts';
import {
  choosesSome,
  comeBack,
  handOver,
  isThere,
  picksPrinter,
  printAgain,
  printMissing,
  releaseAll,
} from './wishes.ts';

const tellListFailed = ({ context, event }: Told<{ readonly error: unknown }>): void =>
  logFailure(context.given.log, 'list failed', serviceFailure(event.error));

/** The results stay on the screen, and so do the waiting documents, as far as they are known. */
const hasList = ({ context: { list } }: In): boolean => list !== 'none';
const noteStale = notes(({ context }: In) => staleList(context));

export const listing = terminalSetup.createStateConfig({
  entry: 'stopCountdown',
  on: {
    card: [{ guard: 'isSameCard', actions: assign({ wantsAll: true }) }, nextPerson],
    'log-out': logsOut,
  },
  invoke: {
    src: 'list',
    input: ofSession,
    onDone: { target: 'listed', actions: [assign(({ event }) => freshList(event.output)), 'applyDefaults'] },
    onError: [
      {
        guard: (at) => hasList(at) && isAllDone(at.context),
        target: 'choosing',
        actions: [tellListFailed, noteStale, ...endsSoon],
      },
      { guard: hasList, target: 'choosing', actions: [tellListFailed, noteStale, ...beginsCountdown] },
      { target: 'leaving', actions: [tellListFailed, apologise, endBy('error')] },
    ],
  },
  after: {
    patience: { actions: 'noteSlow' },
    callLimit: [
      { guard: hasList, target: 'choosing', actions: [noteStale, ...beginsCountdown] },
      { target: 'leaving', actions: endBy('error') },
    ],
  },
  exit: 'endCall',
});

const autoRelease = ({ given }: TerminalContext): boolean => given.settings().autoRelease;
/** A later list shows the result of the first, and that is not printed again by itself. */
const isFirstList = ({ progress }: TerminalContext): boolean => progress.length === 0;

export const listed = terminalSetup.createStateConfig({
  always: [
    // Also with autoRelease, or after a second badge: the person is told, and may delete.
    {
      guard: ({ context }) => context.documents.isRefusedHere === true,
      target: 'choosing',
      actions: ['wantSome', ...beginsCountdown],
    },
    // There is something to ask about, and nothing to print before that.
    {
      guard: ({ context }) =>
        offersNothing(context) &&
        context.documents.doubtful.length > 0 &&
        context.given.settings().canBeAsked,
      target: 'choosing',
      actions: ['wantSome', ...beginsCountdown],
    },
    { guard: ({ context }) => offersNothing(context) && context.wantsAll, ...closes },
    {
      guard: ({ context }) => offersNothing(context) && autoRelease(context) && isFirstList(context),
      target: 'choosing',
      actions: [assign({ awaitsFirst: true }), ...beginsCountdown],
    },
    { guard: ({ context }) => offersNothing(context) && autoRelease(context), ...closes },
    { guard: ({ context }) => context.wantsAll, ...releaseAll },
    {
      guard: ({ context }) => autoRelease(context) && offersStandIn(context),
      target: 'choosing',
      actions: beginsCountdown,
    },
    { guard: ({ context }) => autoRelease(context) && isFirstList(context), ...releaseAll },
    { guard: ({ context }) => isAllDone(context), target: 'choosing', actions: endsSoon },
    { target: 'choosing', actions: beginsCountdown },
  ],
});

export const releasing = terminalSetup.createStateConfig({
  entry: [...handOver, ...beginsCountdown],
  exit: 'stopCountdown',
  // No release is under way, and none is wanted.
  always: {
    guard: ({ context }) => context.releasing.length === 0 && !context.wantsAll,
    target: 'listing',
  },
  on: {
    RELEASE_ENDED: [
      {
        // When this release ends, the session has nothing more to wait for.
        guard: ({ context, event }) =>
          event.sessionId === context.session?.id && context.wantsAll && context.releasing.length === 1,
        actions: [
          assign(({ context, event }) => afterEnd(context, event)),
          // A step of its own, so that the last result is shown before the session closes.
          ({ event, self }) => self.send({ type: 'ALL_ENDED', sessionId: event.sessionId }),
        ],
      },
      {
        guard: 'isOwn',
        actions: [assign(({ context, event }) => afterEnd(context, event)), ...beginsCountdown],
      },
    ],
    ALL_ENDED: {
      // Nothing was wanted since.
      guard: ({ context, event }) =>
        event.sessionId === context.session?.id && context.releasing.length === 0,
      ...closes,
    },
    PROGRESS: { guard: 'isOwn', actions: beginsCountdown },
    STAGES: {
      guard: 'isOwn',
      actions: assign(({ context, event }) => ({ progress: withStages(context.progress, event.stages) })),
    },
    QUEUED: { guard: 'isOwn', actions: assign(({ event: { before } }) => ({ before })) },
    NOT_AS_ASKED: { guard: 'isOwn', actions: assign({ notice: notAsAsked }) },
    release: { ...choosesSome, actions: [...choosesSome.actions, ...handOver] },
    // Documents that print stay at their printer.
    printer: picksPrinter,
    DELETION_REFUSED: { guard: 'isOwn', actions: comeBack },
    'print-again': { ...printAgain, actions: [...printAgain.actions, ...handOver] },
    'print-missing': { ...printMissing, actions: [...printMissing.actions, ...handOver] },
    'it-is-there': isThere,
    'log-out': logsOut,
    language: speaksOn,
    'still-there': staysOn,
    WALKED_AWAY: timesOut,
    card: [{ ...leaves, guard: 'isSameCard' }, nextPerson],
  },
});
