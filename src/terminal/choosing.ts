/**
 * The list at which the person chooses, as a state of `machine.ts`. The list is kept up to date: the service is asked
 * again after a while, and at once if the same badge is held to an empty list. Such a look is no sign of the person, so
 * the countdown runs on.
 */
import { isDeepStrictEqual } from 'node:util';
import { assign } from 'xstate';
import { required } from '../core/required.ts';
import type { Said } from '../domain/terminal/persons-word.ts';
import type { TerminalContext } from './context.ts';
import { mayChange, offersAt } from './documents-view.ts';
import type { Told } from './endings.ts';
import {
  apologise,
  beginsCountdown,
  closes,
  leaves,
  logsOut,
  nextPerson,
  notes,
  ofSession,
  staysOn,
  timesOut,
} from './endings.ts';
import type { Choice, Sorted } from './given.ts';
import {
  afterDealingWith,
  changesWith,
  isAllDone,
  isNothingLeft,
  listAfter,
  offersNothing,
  pickedOf,
  releasableOf,
  wantedOf,
} from './list.ts';
import { looked, lookingAgain } from './notices.ts';
import { defaultsWords } from './person/defaults.ts';
import { speaksOn } from './person/language.ts';
import { previewWords } from './person/preview.ts';
import { stickWords } from './person/stick.ts';
import { offersStandIn } from './printers/instead.ts';
import { terminalSetup } from './setup.ts';
import {
  choosesSome,
  comeBack,
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

const asksForLook = {
  target: '.looking',
  reenter: true,
  actions: [notes(() => ({ isLookAskedFor: true, notice: lookingAgain })), ...beginsCountdown],
} as const;

type Looked = Told<{ readonly output: Sorted }>;

/** Costs are asked for again, and the time of a notice starts again. */
const beginsAnew = { target: '#terminal.choosing', reenter: true } as const;

const changesList = ({ context, event }: Looked): boolean =>
  context.list === 'stale' ||
  !isDeepStrictEqual(listAfter(context, event.output).documents, context.documents);

/** The session was about to close, and now there is news to read. */
const holdsUp = (at: Looked): boolean => isAllDone(at.context) && changesList(at);

const noteLook = notes(({ context, event }: Looked) => {
  const { arrived, ...renewed } = listAfter(context, event.output);
  return {
    ...renewed,
    list: 'fresh',
    returned: [],
    isLookAskedFor: false,
    notice: looked(context, arrived),
  };
});

const endLook = notes(() => ({ isLookAskedFor: false }));

export const choosing = terminalSetup.createStateConfig({
  // With autoRelease, documents that arrive while their owner still stands there need no second badge.
  always: [
    {
      guard: ({ context }) => context.awaitsFirst && !offersNothing(context) && offersStandIn(context),
      actions: 'wantSome',
    },
    { guard: ({ context }) => context.awaitsFirst && !offersNothing(context), ...releaseAll },
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
        ...beginsCountdown,
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
        ...beginsCountdown,
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
  initial: 'resting',
  states: {
    resting: {
      description: 'The list is as the service told it a moment ago.',
      after: {
        untilNextLook: [
          {
            // Nothing else comes first.
            guard: ({ context: { cloud, given } }) => cloud === 'up' && !given.isReleasing(),
            target: 'looking',
          },
          { target: 'resting', reenter: true },
        ],
      },
    },
    looking: {
      description: 'The service is asked what waits by now.',
      invoke: {
        src: 'look',
        input: (at) => ({ ...ofSession(at), inBackground: !at.context.isLookAskedFor }),
        onDone: [
          { guard: holdsUp, ...beginsAnew, actions: [noteLook, 'applyDefaults', ...beginsCountdown] },
          { guard: changesList, ...beginsAnew, actions: [noteLook, 'applyDefaults'] },
          {
            guard: ({ context }) => context.isLookAskedFor,
            ...beginsAnew,
            actions: [noteLook, 'applyDefaults'],
          },
          { target: 'resting' },
        ],
        onError: [
          {
            guard: ({ context }) => context.isLookAskedFor,
            ...beginsAnew,
            actions: [apologise, endLook],
          },
          { target: 'resting' },
        ],
      },
      after: { callLimit: { target: 'resting', actions: endLook } },
    },
  },
});
