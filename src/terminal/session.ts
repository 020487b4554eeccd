/**
 * From the login to the last page, as the states of `machine.ts`: the person's documents are listed, chosen, and on
 * their way. A word counts only for the view that the screen shows now. A word to an older view, or a word said twice,
 * does nothing (INVARIANTS.md B.1, UNKNOWN on screen; D2, I3; B.4, 7). `upkeep.ts` keeps the list up to date.
 */
import { assign } from 'xstate';
import { required } from '../core/required.ts';
import { logFailure, serviceFailure } from '../domain/problem/service-failure.ts';
import type { Said } from '../domain/terminal/persons-word.ts';
import type { TerminalContext } from './context.ts';
import { mayChange, offersAt } from './documents-view.ts';
import type { In, Told } from './endings.ts';
import {
  apologise,
  endBy,
  leaves,
  logsOut,
  nextPerson,
  notes,
  ofSession,
  staysOn,
  timesOut,
} from './endings.ts';
import { withStages } from '../release/session-progress.ts';
import type { Choice } from './given.ts';
import {
  afterDealingWith,
  afterEnd,
  changesWith,
  freshList,
  isAllDone,
  isNothingLeft,
  pickedOf,
  releasableOf,
  staleList,
  wantedOf,
} from './list.ts';
import { lastWord, lookingAgain, notAsAsked } from './notices.ts';
import { defaultsWords } from './person/defaults.ts';
import { speaksOn } from './person/language.ts';
import { previewWords } from './person/preview.ts';
import { stickWords } from './person/stick.ts';
import { offersStandIn } from './printers/instead.ts';
import { terminalSetup } from './setup.ts';
import { upkeep } from './upkeep.ts';
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

const discardedOf = (context: TerminalContext, said: Said<'delete'>): Choice => ({
  session: required(context.session, 'session'),
  documents: pickedOf(context, said),
});

/** Nothing is left to be done or asked. */
const closes = {
  target: 'leaving',
  actions: [notes(({ context }: In) => ({ notice: lastWord(context) })), endBy('released')],
} as const;

const tellListFailed = ({ context, event }: Told<{ readonly error: unknown }>): void =>
  logFailure(context.given.log, 'list failed', serviceFailure(event.error));

/** The results stay on the screen, and so do the waiting documents, as far as they are known. */
const hasList = ({ context }: In): boolean => context.list !== 'none';
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
        actions: [tellListFailed, noteStale, 'endSoon'],
      },
      { guard: hasList, target: 'choosing', actions: [tellListFailed, noteStale, 'beginCountdown'] },
      { target: 'leaving', actions: [tellListFailed, apologise, endBy('error')] },
    ],
  },
  after: {
    patience: { actions: 'noteSlow' },
    callLimit: [
      { guard: hasList, target: 'choosing', actions: [noteStale, 'beginCountdown'] },
      { target: 'leaving', actions: endBy('error') },
    ],
  },
  exit: 'endCall',
});

const autoRelease = ({ context }: In): boolean => context.given.settings().autoRelease;
const offersNothing = ({ context: { documents } }: In): boolean => documents.releasable.length === 0;
/** A later list shows the result of the first, and that is not printed again by itself. */
const isFirstList = ({ context: { progress } }: In): boolean => progress.length === 0;
/** This printer cannot print now, and another one can. */
const standsInFor = ({ context }: In): boolean =>
  context.given.settings().canBeAsked && offersStandIn(context, context.given.printers);

export const listed = terminalSetup.createStateConfig({
  always: [
    // Also with autoRelease, or after a second badge: the person is told, and may delete.
    {
      guard: ({ context }) => context.documents.isRefusedHere === true,
      target: 'choosing',
      actions: ['wantSome', 'beginCountdown'],
    },
    // There is something to ask about, and nothing to print before that.
    {
      guard: (at) =>
        offersNothing(at) &&
        at.context.documents.doubtful.length > 0 &&
        at.context.given.settings().canBeAsked,
      target: 'choosing',
      actions: ['wantSome', 'beginCountdown'],
    },
    { guard: (at) => offersNothing(at) && at.context.wantsAll, ...closes },
    {
      guard: (at) => offersNothing(at) && autoRelease(at) && isFirstList(at),
      target: 'choosing',
      actions: [assign({ awaitsFirst: true }), 'beginCountdown'],
    },
    { guard: (at) => offersNothing(at) && autoRelease(at), ...closes },
    { guard: ({ context }) => context.wantsAll, ...releaseAll },
    { guard: (at) => autoRelease(at) && standsInFor(at), target: 'choosing', actions: 'beginCountdown' },
    { guard: (at) => autoRelease(at) && isFirstList(at), ...releaseAll },
    { guard: ({ context }) => isAllDone(context), target: 'choosing', actions: 'endSoon' },
    { target: 'choosing', actions: 'beginCountdown' },
  ],
});

const asksForLook = {
  target: '.looking',
  reenter: true,
  actions: [notes(() => ({ isLookAskedFor: true, notice: lookingAgain })), 'beginCountdown'],
} as const;

export const choosing = terminalSetup.createStateConfig({
  ...upkeep,
  // With autoRelease, documents that arrive while their owner still stands there need no second badge.
  always: [
    {
      guard: (at) => at.context.awaitsFirst && !offersNothing(at) && standsInFor(at),
      actions: 'wantSome',
    },
    { guard: (at) => at.context.awaitsFirst && !offersNothing(at), ...releaseAll },
  ],
  invoke: {
    src: 'quote',
    input: (at) => ({
      ...ofSession(at),
      documents: releasableOf(at.context),
      quoted: at.context.quotes.length,
      printer: at.context.printer,
    }),
  },
  on: {
    QUOTED: { actions: assign(({ context, event }) => ({ quotes: [...context.quotes, event.quote] })) },
    card: [
      {
        guard: ({ context, event }) => event.card.equals(context.card) && wantedOf(context).length > 0,
        ...releaseAll,
      },
      {
        guard: ({ context, event }) => event.card.equals(context.card) && isNothingLeft(context.documents),
        ...asksForLook,
      },
      { ...leaves, guard: 'isSameCard' },
      nextPerson,
    ],
    release: { ...choosesSome, target: 'releasing' },
    // These documents are no longer wanted. They leave the list at once; if the service refuses the deletion, they
    // come back.
    delete: {
      guard: ({ context, event }) => pickedOf(context, event).length > 0,
      target: 'choosing',
      // Their costs need not be asked for any longer.
      reenter: true,
      actions: [
        ({ context, event }) => context.given.discard(discardedOf(context, event)),
        assign(({ context, event }) => ({
          quotes: [],
          ...afterDealingWith(context, discardedOf(context, event).documents),
        })),
        'beginCountdown',
      ],
    },
    change: {
      guard: ({ context, event }) => mayChange(context, event, offersAt(context)),
      target: 'choosing',
      // The document has another cost now.
      reenter: true,
      actions: [
        assign(({ context, event }) => ({
          quotes: [],
          changes: changesWith(context, event, offersAt(context)),
          touched: new Set([...context.touched, event.documentUuid]),
        })),
        'beginCountdown',
      ],
    },
    // Documents may have other costs there.
    printer: { ...picksPrinter, target: 'choosing', reenter: true },
    ...defaultsWords,
    ...stickWords,
    ...previewWords,
    'open-account': {
      guard: ({ context: { generation, given }, event }) =>
        event.generation === generation && given.settings().account !== 'off',
      target: 'account',
    },
    DELETION_REFUSED: { guard: 'isOwn', target: 'listing', actions: comeBack },
    'look-again': { guard: 'isShown', ...asksForLook },
    'print-again': { ...printAgain, target: 'releasing' },
    'print-missing': { ...printMissing, target: 'releasing' },
    'it-is-there': isThere,
    'log-out': logsOut,
    language: speaksOn,
    'still-there': staysOn,
    WALKED_AWAY: [{ guard: ({ context }) => isAllDone(context), ...closes }, timesOut],
  },
  after: {
    noticeTime: { actions: 'forgetNotice' },
    firstDocuments: { guard: ({ context }) => context.awaitsFirst, ...closes },
  },
});

export const releasing = terminalSetup.createStateConfig({
  entry: [...handOver, 'beginCountdown'],
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
        actions: [assign(({ context, event }) => afterEnd(context, event)), 'beginCountdown'],
      },
    ],
    ALL_ENDED: {
      // Nothing was wanted since.
      guard: ({ context, event }) =>
        event.sessionId === context.session?.id && context.releasing.length === 0,
      ...closes,
    },
    PROGRESS: { guard: 'isOwn', actions: 'beginCountdown' },
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
