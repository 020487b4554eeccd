/**
 * From the login to the last page, as the states of `machine.ts`: the person's documents are listed, chosen, and on
 * their way. A word counts only for the view that the screen shows now. A word to an older view, or a word said twice,
 * does nothing (INVARIANTS.md B.1, UNKNOWN on screen; D2, I3; B.4, 7). `upkeep.ts` keeps the list up to date.
 */
import { and } from 'xstate';
import { required } from '../core/required.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { Quote } from '../domain/balance.ts';
import type { Said } from '../domain/terminal/persons-word.ts';
import type { DocumentEnd, DocumentStage } from '../release/session-progress.ts';
import type { Choice, Sorted } from './context.ts';
import type { In, Told } from './endings.ts';
import {
  apologise,
  asSaid,
  beginsCountdown,
  cardOf,
  endBy,
  endsSoon,
  errorOf,
  isOwn,
  isShown,
  leaves,
  logsOut,
  nextPerson,
  sameCard,
  timesOut,
} from './endings.ts';
import { doubtfulOf, missingWish, pickedOf, releasableOf, releasedOf } from './list.ts';
import { defaultsWords } from './person/defaults.ts';
import { looksAt, looksAway } from './person/looking.ts';
import { stickWords } from './person/stick.ts';
import { picksForFurther, picksPrinter } from './printers/picking.ts';
import { looksAgain, upkeep } from './upkeep.ts';

/** The chosen documents, in the order of the list. */
const chosen = {
  guard: { type: 'mayRelease', params: asSaid<Said<'release'>> },
  actions: [
    {
      type: 'tellLeftOut',
      params: ({ context, event }: Told<Said<'release'>>) => ({
        count: event.documentUuids.length - releasedOf(context, event).length,
      }),
    },
    {
      type: 'wish',
      params: ({ context, event }: Told<Said<'release'>>) => ({
        wishes: releasedOf(context, event).map((document) => ({ document })),
      }),
    },
    ...beginsCountdown,
  ],
} as const;

const discardedOf = ({ context, event }: Told<Said<'release'>>) => ({
  session: required(context.session, 'session'),
  documents: pickedOf(context, event),
});

/**
 * These documents are no longer wanted. They leave the list at once; if the service refuses the deletion, they come
 * back.
 */
const discards = {
  guard: { type: 'picksSome', params: asSaid<Said<'release'>> },
  target: 'choosing',
  // Their costs need not be asked for any longer.
  reenter: true,
  actions: [
    { type: 'discard', params: discardedOf },
    { type: 'noteDiscarded', params: discardedOf },
    ...beginsCountdown,
  ],
} as const;

const changes = {
  guard: { type: 'mayChange', params: asSaid<Said<'change'>> },
  target: 'choosing',
  // The document has another cost now.
  reenter: true,
  actions: [{ type: 'noteChange', params: asSaid<Said<'change'>> }, ...beginsCountdown],
} as const;

/** The person was told that it may have printed, and wants it once more. */
const printAgain = {
  guard: { type: 'mayRepeat', params: asSaid<Said<'print-again'>> },
  actions: [
    {
      type: 'wish',
      params: ({ context, event }: Told<Said<'print-again'>>) => {
        const { document, releaseId, elsewhere } = required(doubtfulOf(context, event), 'doubtful document');
        const isElsewhere = elsewhere && ({ isAgainElsewhere: true } as const);
        return { wishes: [{ document, again: releaseId, ...isElsewhere }] };
      },
    },
    ...beginsCountdown,
  ],
} as const;

/** The person was told which pages did not come out, and wants those. */
const printMissing = {
  guard: { type: 'isMissing', params: asSaid<Said<'print-missing'>> },
  actions: [
    {
      type: 'wish',
      params: ({ context, event }: Told<Said<'print-missing'>>) => ({
        wishes: [required(missingWish(context, event), 'missing pages')],
      }),
    },
    ...beginsCountdown,
  ],
} as const;

const foundOf = ({ context, event }: Told<Said<'print-again'>>) => ({
  session: required(context.session, 'session'),
  found: required(doubtfulOf(context, event), 'doubtful document'),
});

/** The person says that the pages lie in the tray. */
const isThere = {
  guard: { type: 'isDoubtful', params: asSaid<Said<'print-again'>> },
  actions: [{ type: 'confirm', params: foundOf }, { type: 'noteFound', params: foundOf }, ...beginsCountdown],
} as const;

const choosesLanguage = [
  { type: 'noteLanguage', params: asSaid<Said<'language'>> },
  { type: 'rememberLanguage', params: asSaid<Said<'language'>> },
] as const;

/** Applies in every state with a person who is signed in. */
export const speaks = [
  { guard: { type: 'isOfSession', params: asSaid<Said<'language'>> }, actions: choosesLanguage },
  { actions: 'tellIgnored' },
] as const;

/** At the list it also counts as a sign of the person. */
export const speaksOn = { guard: isShown, actions: [...choosesLanguage, ...beginsCountdown] } as const;

export const staysOn = { guard: isShown, actions: beginsCountdown } as const;

const problemOf = ({ event }: { event: { problem: Problem } }) => ({ error: event.problem });
const apologisesFor = { type: 'noteApology', params: problemOf } as const;

/** Documents whose deletion was refused. */
export const comeBack = [
  { type: 'takeBack', params: asSaid<Pick<Choice, 'documents'>> },
  apologisesFor,
] as const;

export const sessionOf = ({ context }: In) => ({ session: required(context.session, 'session') });

/** In the order of the list. */
const releaseAll = { target: 'releasing', actions: 'wishAll' } as const;

const handOver = [
  {
    type: 'release',
    params: (at: In) => ({ ...sessionOf(at), wishes: at.context.wishes }),
  },
  'noteHandedOver',
] as const;

/** Nothing is left to be done or asked. */
const closes = { target: 'leaving', actions: ['noteLastWord', endBy('released')] } as const;

const listFailed = [{ type: 'tellListFailed', params: errorOf }] as const;

/** The results stay on the screen, and so do the waiting documents, as far as they are known. */
const keepsList = { guard: 'hasList', target: 'choosing' } as const;

export const listing = {
  description: 'The READY documents of the person are fetched.',
  entry: 'stopCountdown',
  on: {
    card: [{ guard: sameCard, actions: 'wantAll' }, nextPerson],
    'log-out': logsOut,
  },
  invoke: {
    src: 'list',
    input: sessionOf,
    onDone: {
      target: 'listed',
      actions: [
        { type: 'noteList', params: ({ event }: { event: { output: Sorted } }) => event.output },
        'applyDefaults',
      ],
    },
    onError: [
      {
        ...keepsList,
        guard: and(['hasList', 'isAllDone']),
        actions: [...listFailed, 'noteStale', ...endsSoon],
      },
      { ...keepsList, actions: [...listFailed, 'noteStale', ...beginsCountdown] },
      { target: 'leaving', actions: [...listFailed, apologise, endBy('error')] },
    ],
  },
  after: {
    patience: { actions: 'noteSlow' },
    callLimit: [
      { ...keepsList, actions: ['noteStale', ...beginsCountdown] },
      { target: 'leaving', actions: endBy('error') },
    ],
  },
  exit: 'endCall',
} as const;

export const listed = {
  description: 'The documents that may be printed, or need a question, decide how the session continues.',
  always: [
    // Also with autoRelease, or after a second badge: the person is told, and may delete.
    { guard: 'isRefusedHere', target: 'choosing', actions: ['wantSome', ...beginsCountdown] },
    { guard: and(['asksOnly', 'canBeAsked']), target: 'choosing', actions: ['wantSome', ...beginsCountdown] },
    { guard: and(['offersNothing', 'wantsAll']), ...closes },
    {
      guard: and(['offersNothing', 'autoRelease', 'isFirstList']),
      target: 'choosing',
      actions: ['awaitFirst', ...beginsCountdown],
    },
    { guard: and(['offersNothing', 'autoRelease']), ...closes },
    { guard: 'wantsAll', ...releaseAll },
    { guard: and(['autoRelease', 'offersStandIn']), target: 'choosing', actions: beginsCountdown },
    { guard: and(['autoRelease', 'isFirstList']), ...releaseAll },
    { guard: 'isAllDone', target: 'choosing', actions: endsSoon },
    { target: 'choosing', actions: beginsCountdown },
  ],
} as const;

export const choosing = {
  description:
    'The session is open; costs and balance come in, and the same badge again releases all that fits.',
  ...upkeep,
  // With autoRelease, documents that arrive while their owner still stands there need no second badge.
  always: [
    { guard: and(['awaitsFirst', 'offersSomething', 'offersStandIn']), actions: 'wantSome' },
    { guard: and(['awaitsFirst', 'offersSomething']), ...releaseAll },
  ],
  invoke: {
    src: 'quote',
    input: ({ context }: In) => ({
      session: required(context.session, 'session'),
      documents: releasableOf(context),
      quoted: context.quotes.length,
      printer: context.printer,
    }),
  },
  on: {
    QUOTED: { actions: { type: 'noteQuote', params: asSaid<{ readonly quote: Quote }> } },
    card: [
      { guard: { type: 'isSameCardAndReleasable', params: cardOf }, ...releaseAll },
      looksAgain,
      { ...leaves, guard: sameCard },
      nextPerson,
    ],
    release: { ...chosen, target: 'releasing' },
    delete: discards,
    change: changes,
    printer: picksPrinter,
    ...defaultsWords,
    ...stickWords,
    preview: looksAt,
    'end-preview': looksAway,
    'open-account': {
      guard: { type: 'mayOpenAccount', params: asSaid<{ readonly generation: number }> },
      target: 'account',
    },
    DELETION_REFUSED: { guard: isOwn, target: 'listing', actions: comeBack },
    'look-again': {
      guard: isShown,
      target: '.looking',
      reenter: true,
      actions: ['askForLook', ...beginsCountdown],
    },
    'print-again': { ...printAgain, target: 'releasing' },
    'print-missing': { ...printMissing, target: 'releasing' },
    'it-is-there': isThere,
    'log-out': logsOut,
    language: speaksOn,
    'still-there': staysOn,
    WALKED_AWAY: [{ guard: 'isAllDone', ...closes }, timesOut],
  },
  after: {
    noticeTime: { actions: 'forgetNotice' },
    firstDocuments: { guard: 'awaitsFirst', ...closes },
  },
} as const;

const ended = [{ type: 'noteEnd', params: asSaid<DocumentEnd> }] as const;

export const releasing = {
  description:
    'The releases are at the desk; when the last has ended, the session is over, or the next choice comes.',
  entry: [...handOver, ...beginsCountdown],
  exit: 'stopCountdown',
  always: { guard: 'isNothingReleasing', target: 'listing' },
  on: {
    RELEASE_ENDED: [
      {
        guard: { type: 'isLastOfAll', params: asSaid<{ readonly sessionId: string }> },
        actions: [...ended, 'sayAllEnded'],
      },
      { guard: isOwn, actions: [...ended, ...beginsCountdown] },
    ],
    // A step of its own, so that the last result is shown before the session closes.
    ALL_ENDED: { guard: { type: 'isOver', params: asSaid<{ readonly sessionId: string }> }, ...closes },
    PROGRESS: { guard: isOwn, actions: beginsCountdown },
    STAGES: {
      guard: isOwn,
      actions: { type: 'noteStages', params: asSaid<{ readonly stages: readonly DocumentStage[] }> },
    },
    QUEUED: { guard: isOwn, actions: { type: 'noteBefore', params: asSaid<{ readonly before: number }> } },
    NOT_AS_ASKED: { guard: isOwn, actions: 'noteNotAsAsked' },
    release: { ...chosen, actions: [...chosen.actions, ...handOver] },
    printer: picksForFurther,
    DELETION_REFUSED: { guard: isOwn, actions: comeBack },
    'print-again': { ...printAgain, actions: [...printAgain.actions, ...handOver] },
    'print-missing': { ...printMissing, actions: [...printMissing.actions, ...handOver] },
    'it-is-there': isThere,
    'log-out': logsOut,
    language: speaksOn,
    'still-there': staysOn,
    WALKED_AWAY: timesOut,
    card: [{ ...leaves, guard: sameCard }, nextPerson],
  },
} as const;
