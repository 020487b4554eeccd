/**
 * The terminal's machine, walked whole by machine: every state is reached and every transition taken, and on no way does
 * anybody see what is another's (I3): whoever holds another badge, or leaves, raises the generation.
 */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Log } from '../../src/core/log.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { LoginOffer } from '../../src/domain/login.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { TerminalContext } from '../../src/terminal/context.ts';
import type { Given, Session, Sorted } from '../../src/terminal/given.ts';
import { nobody } from '../../src/terminal/context.ts';
import type { TerminalEvent } from '../../src/terminal/events.ts';
import { isAllDone } from '../../src/terminal/list.ts';
import type { TerminalSnapshot } from '../../src/terminal/machine.ts';
import { stateOf, terminalMachine } from '../../src/terminal/machine.ts';
import { relayed } from '../../src/domain/terminal/public-words.ts';
import { viewOf } from '../../src/terminal/view.ts';
import { CardOfAnother } from '../../src/terminal/person/account-context.ts';
import type { PrintersAtHand } from '../../src/terminal/printers/at-hand.ts';
import { missedBy, walk } from '../support/machine-walk.ts';
import { printerThatCan } from '../support/terminal/login-world.ts';
import { documentNamed } from '../support/terminal/terminal-stage.ts';

const people = ['alice', 'bob'] as const;
type Person = (typeof people)[number];
const cards = { alice: new CardNumber('04A1B2C3D4'), bob: new CardNumber('04B5C6D7E8') };
const personOf = (card: CardNumber | undefined): Person | undefined =>
  people.find((person) => cards[person].equals(card));

/** How a terminal is set up, of which the walks have some. */
interface Scene {
  readonly offer: LoginOffer;
  readonly autoRelease: boolean;
  readonly canBeAsked: boolean;
  /** People may look at their own account, and change it. */
  readonly hasAccount?: true;
  /** One person prints all that they have, and nothing else happens: what is done decides, too. */
  readonly printsAll?: true;
  /** It decides little whether the service is there: one walk looks at that, and the others take half the time. */
  readonly minds?: 'service';
}

const cardsOnly: LoginOffer = { ways: [], cardPin: false, enrollment: false };
let scene: Scene = { offer: cardsOnly, autoRelease: false, canBeAsked: false };

/** Where the walk stands: what is asked of the world at a step may depend on that. */
let here: TerminalSnapshot | undefined;

const printers: PrintersAtHand = [
  printerThatCan({
    name: 'Lobby',
    view: () => ({ lamp: here && ownerOf(here.context) === 'bob' ? 'unreachable' : 'ready' }),
  }),
  printerThatCan({ name: 'Colour', view: () => ({ lamp: 'ready' }) }),
];

const nothing = (): void => {};
const notCalled = () => Promise.reject(new Error('the walk says how a call ends'));
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, with: () => log };

/** The world does nothing, and is as the scene says. */
const given: Given = {
  log,
  clock: { monotonic: () => 0 },
  settings: () => ({
    autoRelease: scene.autoRelease,
    canBeAsked: scene.canBeAsked,
    logoutTimeout: seconds(60),
    // What was offered a moment ago may be offered no longer.
    login: { ...scene.offer, enrollment: scene.offer.enrollment || here?.value === 'authenticating' },
    preview: true,
    askAbovePages: 50,
    account: scene.hasAccount ? 'full' : 'off',
  }),
  printers,
  languages: { of: () => undefined, remember: nothing },
  defaults: { of: () => undefined, keep: nothing, forget: nothing },
  calls: {
    login: notCalled,
    registerCard: notCalled,
    list: notCalled,
    look: notCalled,
    quote: () => nothing,
    readAccount: notCalled,
    prove: notCalled,
    alterAccount: notCalled,
  },
  preview: { lookAt: nothing, lookAway: nothing },
  stick: { offers: () => true, hear: nothing },
  ignoreCard: nothing,
  isReleasing: () => false,
  release: nothing,
  confirm: nothing,
  discard: nothing,
  forget: nothing,
};

const ownerOf = ({ session }: TerminalContext): Person | undefined =>
  people.find((person) => person === session?.login.user.userName);

const sessionFor = (person: Person, { generation, credentials, card }: TerminalContext): Session => ({
  id: `session ${generation}`,
  ...(card && credentials?.kind !== 'name' ? { card } : {}),
  login: {
    user: { id: 1, providerId: 3, userName: person, fullName: person },
    token: { value: new Secret(person), expiresAt: Infinity },
  },
});

const heldBy = ({ account }: TerminalContext): CardNumber | undefined =>
  account?.deed?.kind === 'register' ? account.deed.card : undefined;

const missing = { from: 2, to: 2 };

function listsFor(person: Person): readonly Sorted[] {
  const releasable = [documentNamed(`${person}-1`, { colorPages: 1 }), documentNamed(`${person}-2`)];
  const doubtful = [{ document: documentNamed(`${person}-3`), releaseId: 'some', at: undefined, missing }];
  const all = { ...nobody.documents, releasable, doubtful };
  return [all, { ...all, isRefusedHere: true }, { ...nobody.documents, doubtful }, nobody.documents];
}

const refused = new Problem('login-refused', 'no', { delivery: 'answered', status: 400 });
const locked = new Problem('login-locked', 'too often');
const denied = new Problem('cloud-denied', 'no', { delivery: 'answered', status: 403 });
const away = new Problem('cloud-unreachable', 'no answer', { delivery: 'perhaps' });
const quote = { cost: 1n, balance: 2n, isSufficient: true } as never;

/** What anybody may say, and what may come to pass, in this state; to what is shown now, and to what was shown before. */
function eventsAt(now: TerminalSnapshot): readonly TerminalEvent[] {
  here = now;
  const { context } = now;
  const { generation, session } = context;
  const own = { sessionId: session?.id ?? 'none' };
  const another = { sessionId: 'another' };
  const person = ownerOf(context) ?? 'alice';
  const [document] = context.releasing;
  const ended = { releaseId: 'some', stage: 'printed', problem: undefined } as const;
  const documentUuid = `${person}-3`;
  const wished = scene.printsAll ? [`${person}-1`, `${person}-2`] : [`${person}-1`];
  return [
    ...people.flatMap((one): TerminalEvent[] => [
      { type: 'card', card: cards[one] },
      { type: 'card-removed', card: cards[one] },
    ]),
    { type: 'card-unreadable', problem: refused },
    { type: 'card-relayed' },
    { type: 'relay-ended', generation, notice: relayed },
    { type: 'authorized' },
    { type: 'unauthorized' },
    { type: 'hold-lost' },
    { type: 'service', state: 'up' },
    { type: 'service', state: 'down' },
    { type: 'readers', state: 'down' },
    { type: 'readers', state: 'up' },
    ...[generation, generation - 1].flatMap((at): TerminalEvent[] => [
      { type: 'log-in', generation: at, credentials: { kind: 'name', userName: 'bob' } },
      { type: 'pin', generation: at, pin: new Secret('0815') },
      { type: 'enrol', generation: at, userName: 'bob', password: new Secret('pw') },
      { type: 'release', generation: at, documentUuids: wished },
      { type: 'delete', generation: at, documentUuids: [`${person}-1`] },
      { type: 'change', generation: at, documentUuid: `${person}-1`, copies: 2, color: false },
      { type: 'preview', generation: at, documentUuid, page: 1 },
      { type: 'end-preview', generation: at },
      { type: 'open-stick', generation: at },
      { type: 'bring-file', generation: at, file: 0, edition: 0 },
      { type: 'close-stick', generation: at },
      { type: 'print-again', generation: at, documentUuid },
      { type: 'print-missing', generation: at, documentUuid, from: 2, to: 2 },
      { type: 'it-is-there', generation: at, documentUuid },
      { type: 'printer', generation: at, printer: 'Colour' },
      { type: 'language', generation: at, language: 'de' },
      { type: 'keep-defaults', generation: at, grey: true, twoSided: false },
      { type: 'forget-defaults', generation: at },
      { type: 'open-account', generation: at },
      { type: 'close-account', generation: at },
      { type: 'drop-card', generation: at, card: 0, edition: context.account?.edition ?? 0 },
      { type: 'register-card', generation: at },
      { type: 'new-short-id', generation: at },
      { type: 'prove', generation: at, password: new Secret('pw') },
      { type: 'step-back', generation: at },
      { type: 'look-again', generation: at },
      { type: 'still-there', generation: at },
      { type: 'log-out', generation: at },
    ]),
    ...[own, another].flatMap((of): TerminalEvent[] => [
      { type: 'DELETION_REFUSED', ...of, documents: [], problem: away },
      { type: 'REFUSED_HERE', ...of },
      { type: 'BROUGHT', ...of },
      { type: 'PROGRESS', ...of },
      {
        type: 'STAGES',
        ...of,
        stages: [
          { type: 'stage', releaseId: 'some', documentUuid: document?.uuid ?? 'none', stage: 'printing' },
        ],
      },
      { type: 'QUEUED', ...of, before: 1 },
      { type: 'NOT_AS_ASKED', ...of },
      { type: 'ALL_ENDED', ...of },
      { type: 'RELEASE_ENDED', ...of, ...ended, documentUuid: document?.uuid ?? 'none' },
    ]),
    { type: 'QUOTED', quote },
    { type: 'WALKED_AWAY' },
    { type: 'TOO_LONG' },
    { type: 'STOP' },
  ];
}

const isOfPrinting = ({ type }: TerminalEvent): boolean =>
  ['card', 'authorized', 'service', 'release', 'it-is-there', 'RELEASE_ENDED', 'WALKED_AWAY'].includes(type);

function endingsAt({ context }: TerminalSnapshot, actor: string) {
  const { credentials, card } = context;
  const typed = credentials && 'userName' in credentials ? credentials.userName : undefined;
  const person = people.find((one) => one === typed) ?? personOf(card) ?? 'alice';
  const lists = listsFor(ownerOf(context) ?? 'alice');
  switch (actor) {
    case 'login':
      return { outputs: [sessionFor(person, context)], errors: [refused, locked, away] };
    case 'readAccount':
      return { outputs: [{ cards: [cards[person]], isIncomplete: false, denied: [] }], errors: [away] };
    case 'prove':
      return { outputs: [undefined], errors: [refused, locked, away] };
    case 'alterAccount':
      return {
        outputs: [{ notice: relayed, shortId: new Secret(`short id of ${ownerOf(context)}`) }],
        errors: [
          denied,
          away,
          ...[heldBy(context)].flatMap((held) => (held ? [new CardOfAnother(held)] : [])),
        ],
      };
    case 'registerCard':
      return { outputs: [undefined], errors: [refused, away] };
    case 'list':
    case 'look':
      return { outputs: lists, errors: [away] };
    default:
      return { outputs: [], errors: [] };
  }
}

/** Without the counters, and what is only told: what decides where the next step leads. */
const keyOf = ({ context }: TerminalSnapshot) => {
  const { documents, releasing, session, account: its } = context;
  return [
    [
      context.authorized,
      context.wantsAll,
      context.isRelayed,
      context.isLookAskedFor,
      context.awaitsFirst,
      scene.minds === 'service' && context.cloud,
    ],
    [personOf(context.card), ownerOf(context), session?.card !== undefined],
    [documents.releasable.length > 0, documents.doubtful.length > 0, releasing.length],
    scene.printsAll === true && isAllDone(context),
    its ? [its.found !== undefined, its.deed?.kind, session?.isProven] : [documents.isRefusedHere],
  ];
};

const scenes: readonly Scene[] = [
  { offer: cardsOnly, autoRelease: false, canBeAsked: false, minds: 'service' },
  {
    offer: { ways: ['name'], cardPin: true, enrollment: true },
    autoRelease: false,
    canBeAsked: true,
    hasAccount: true,
  },
  { offer: { ways: ['name'], cardPin: false, enrollment: true }, autoRelease: true, canBeAsked: true },
  { offer: cardsOnly, autoRelease: false, canBeAsked: false, printsAll: true },
];

const walks = scenes.map((one) => {
  scene = one;
  const events = one.printsAll ? (at: TerminalSnapshot) => eventsAt(at).filter(isOfPrinting) : eventsAt;
  return walk<TerminalSnapshot>(terminalMachine, { input: given, events, endings: endingsAt, key: keyOf });
});
const steps = walks.flatMap((one) => one.steps);

const viewAt = (at: TerminalSnapshot): string =>
  JSON.stringify(
    viewOf(at, {
      untilEnd: seconds(0),
      offer: cardsOnly,
      askAbovePages: 50,
      account: 'full',
      language: undefined,
      offers: { can: undefined, monochrome: false },
      logoutTimeout: seconds(60),
      printers,
      outage: undefined,
      offersPreview: true,
      preview: undefined,
      stick: undefined,
    }),
  );

it('every state of the terminal is reached, and every transition taken', () => {
  expect(missedBy(terminalMachine, walks)).toEqual([]);
});

it('nobody is shown anything of another, and nothing of them where nobody is (I3)', () => {
  const shown = steps.filter(({ to }) => {
    const view = viewAt(to);
    return people.some((person) => view.includes(person) && ownerOf(to.context) !== person);
  });
  expect(shown).toEqual([]);
});

it('what is kept of a session is of its owner, and gone with it (I3)', () => {
  const left = steps.filter(({ to: { context } }) => {
    const { documents, releasing, wishes, progress } = context;
    const uuids = [
      ...documents.releasable.map(({ uuid }) => uuid),
      ...documents.doubtful.map(({ document }) => document.uuid),
      ...documents.others.map(({ document }) => document.uuid),
      ...releasing.map(({ uuid }) => uuid),
      ...wishes.map(({ document }) => document.uuid),
      ...progress.map(({ documentUuid }) => documentUuid),
    ];
    return uuids.some((uuid) => !uuid.startsWith(ownerOf(context) ?? 'nobody'));
  });
  expect(left).toEqual([]);
});

it('another person, or nobody any more, is another generation: no word of before is taken (D2)', () => {
  const unnoticed = steps.filter(
    ({ from, to }) =>
      ownerOf(from.context) !== ownerOf(to.context) && to.context.generation <= from.context.generation,
  );
  expect(unnoticed.map(({ event }) => event.type)).toEqual([]);
  expect(steps.filter(({ from, to }) => to.context.generation < from.context.generation)).toEqual([]);
});

it('a badge of another ends the session there and then, whatever the terminal is doing (I3)', () => {
  const kept = steps.filter(
    ({ from, event, to }) =>
      event.type === 'card' &&
      from.context.session !== undefined &&
      // There the badge is to become theirs, and whose it is already the service is asked.
      !(stateOf(from) === 'account' && from.context.account?.deed?.kind === 'register') &&
      !(event as { card?: CardNumber }).card?.equals(from.context.card) &&
      (to.context.session !== undefined || stateOf(to) === stateOf(from)),
  );
  expect(kept).toEqual([]);
});
