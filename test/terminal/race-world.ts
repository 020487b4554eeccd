/**
 * Two terminals, their service and their desks for `session-races.ts`: every answer and every end of a print waits for
 * its turn, and each login gives documents, names and amounts of its own.
 */
import { Readable } from 'node:stream';
import type { Amount } from '../../src/domain/amount.ts';
import type { Clock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { LoginOffer } from '../../src/domain/login.ts';
import type { Ledger } from '../../src/domain/ports/ledger.ts';
import type { Credentials } from '../../src/domain/user.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { Terminal } from '../../src/terminal/runner.ts';
import { createTerminal } from '../../src/terminal/runner.ts';
import { sampleDocument } from '../support/sample-ticket.ts';
import type { SessionJudge, Tally } from './session-judge.ts';
import { createSessionJudge, defaultPrinter, marked, markOf, placeOffset } from './session-judge.ts';
import { cardsOnly, loginWorld, printerThatCan } from '../support/terminal/login-world.ts';

export const people = ['alice', 'bob', 'carol'] as const;
export type Person = (typeof people)[number];
const cards = new Map(people.map((person, index) => [person, new CardNumber(`04A1B2C3D${index}`)]));
export const cardOf = (person: Person): CardNumber => cards.get(person) ?? new CardNumber('00');

/** One of them an interleaving begins with. */
const offers: readonly LoginOffer[] = [
  cardsOnly,
  { ...cardsOnly, ways: ['name'], enrollment: true },
  { ...cardsOnly, cardPin: true },
];

/** Time that passes in one go, and only where a step says so. */
function clockInSteps() {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly action: () => void }>();
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    sinceBoot: () => now,
    sleep: (span) => new Promise((resolve) => clock.setTimeout(resolve, span)),
    deadline: () => {
      throw new Error('a terminal has no deadlines of its own');
    },
    setTimeout(action, delay) {
      const timer = { at: now + delay, action };
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => void timers.delete(timer as never),
  };
  return {
    clock,
    pass(span: number) {
      const end = now + span;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        now = next.at;
        next.action();
      }
      now = end;
    },
  };
}

export type Answers = <Value>(what: string, value: () => Value) => Promise<Value>;

export interface Place {
  readonly terminal: Terminal;
  readonly judge: SessionJudge;
  /** The documents that its latest list gave. */
  listed(): number;
}

export interface World {
  readonly places: readonly Place[];
  readonly complaints: string[];
  pass(span: number): void;
  /** The service says that people may log in otherwise. */
  offerOtherwise(): void;
  /** The scheduler and the luck of the next interleaving. */
  begin(answers: Answers, luck: number): void;
}

export function createWorld(tally: Tally): World {
  const complaints: string[] = [];
  const { clock, pass } = clockInSteps();
  let answers: Answers;
  let luck = 0;
  let count = 0;
  let offered = 0;
  const offer = (): LoginOffer => offers[offered % offers.length] ?? cardsOnly;
  /** Now and then something fails, and the same does so in the same interleaving. */
  const fails = (oneIn: number): boolean => (count * 7 + luck) % oneIn === 0;
  const later: Answers = (what, value) => answers(what, value);

  const places = ['lobby', 'stairs'].map((id): Place => {
    const judge = createSessionJudge(complaints, tally);
    let listed = 0;
    const terminal = createTerminal({
      ...loginWorld(),
      printers: [printerThatCan({ name: defaultPrinter }), printerThatCan({ name: 'Colour' })],
      users: {
        enrolCard: (_user, _card, { token }) => {
          const login = markOf(token?.value.reveal() ?? '');
          judge.used('an enrolment', login);
          return later(`enrolment ${login}`, () => undefined);
        },
      },
      id,
      logins: {
        login: (credentials) => {
          const login = (count += 1);
          const person = personOf(credentials);
          const isRefused = fails(5);
          if (!isOffered(credentials, offer())) complaints.push(`a login by ${credentials.kind} unasked`);
          judge.loginAsked(person, login);
          return later(`login ${login}`, () => {
            if (isRefused) throw new Problem('login-refused', 'no');
            const name = marked(person, login);
            return {
              user: { id: login, providerId: 3, userName: name, fullName: name },
              token: { value: new Secret(marked('token', login)), expiresAt: Infinity },
            };
          });
        },
      },
      documents: {
        ready: ({ value }) => {
          const login = markOf(value.reveal());
          judge.used('a list', login);
          const isRefused = fails(11);
          return later(`list ${login}`, () => {
            if (isRefused) throw new Problem('cloud-unreachable', 'no');
            listed = login;
            const documents = ['a', 'b', 'c'].slice(login % 3).map((which) => {
              const uuid = marked(which, login);
              return sampleDocument({ uuid, name: uuid });
            });
            return { documents, mayBeMore: false, underOtherName: 0 };
          });
        },
        requireReady: notAsked,
        deliver: notAsked,
        statusOf: notAsked,
        consume: notAsked,
        download: (uuid, { value }) => {
          const login = markOf(value.reveal());
          judge.used('a look', login);
          if (markOf(uuid) !== login) throw new Error(`${uuid} was looked at by login ${login}`);
          return later(`download ${login}`, () => ({ length: 1, bytes: Readable.from([]) }));
        },
        remove: async () => {},
      },
      pictures: {
        of: () => later('picture', () => ({ kind: 'picture' as const, png: Buffer.from('a page') })),
      },
      finish: 'delete',
      balance: {
        own: notAsked,
        quote: ({ token, document }) => {
          const login = markOf(token.value.reveal());
          judge.used(`a quote for ${document.name}`, login);
          const amount = (BigInt(login) * 10n ** 18n) as Amount;
          const quote = { cost: amount, balance: amount, isSufficient: true };
          return later(`quote ${login}`, () => (login % 2 === 0 ? quote : undefined));
        },
      },
      ledger: {
        lastRelease: () => ({ releaseId: 'some', state: 'UNKNOWN', deletionOwed: false }),
        confirmedByPerson: () => {},
        durable: async () => {},
      } as Partial<Ledger> as Ledger,
      releases: { find: () => undefined },
      desk: {
        isIdle: () => true,
        isReleasing: () => false,
        standing: (uuid) => (uuid.startsWith('c') ? 'may-have-printed' : 'releasable'),
        release(tickets, listener) {
          for (const ticket of tickets) {
            judge.ticket(ticket);
            const { name, uuid: documentUuid } = ticket.document;
            const names = { releaseId: ticket.releaseId, documentUuid };
            const problem = fails(3) ? new Problem('printer-not-ready', 'no') : undefined;
            const outcome = problem ? 'failed' : 'completed';
            const stage = problem ? 'failed' : 'printed';
            const before = placeOffset + markOf(name);
            void later(`${name} waits`, () => listener({ type: 'turn', before, ...names }));
            void later(`${name} comes on`, () => listener({ type: 'progress', ...names }));
            void later(`${name} prints`, () => listener({ type: 'stage', stage: 'printing', ...names }));
            void later(`${name} ends`, () => listener({ type: 'ended', outcome, stage, problem, ...names }));
          }
        },
        ownerLeft: (sessionId) => judge.ownerLeft(sessionId),
        resume: () => {},
        stop: async () => {},
      },
      settings: () => ({
        autoRelease: id === 'stairs',
        logoutTimeout: seconds(60),
        login: offer(),
        canBeAsked: offered % 2 === 0,
        preview: offered % 2 === 0,
        askAbovePages: 50,
        account: 'off',
      }),
      clock,
      chance: {
        uuid: () => `session ${(count += 1)}`,
        bytes: (octets) => Buffer.alloc(octets),
        jitter: notAtRandom,
      },
      log: judge.log,
      onStage: () => {},
      onSignal: () => {},
      settle: async ({ token }) => judge.used('a look at the settings', markOf(token.value.reveal())),
    });
    terminal.view.onChange(() => judge.frame(terminal.view.current()));
    void terminal.run(new AbortController().signal);
    return { terminal, judge, listed: () => listed };
  });

  return {
    places,
    complaints,
    pass,
    offerOtherwise() {
      offered += 1;
      for (const { terminal } of places) terminal.viewChanged();
    },
    begin(given, drawn) {
      answers = given;
      luck = drawn;
      offered = drawn;
    },
  };
}

/** A badge may have been held before its PIN was asked for, and the other way round. */
const isOffered = ({ kind }: Credentials, { ways, enrollment }: LoginOffer): boolean =>
  kind === 'card' || (kind === 'password' ? enrollment : ways.includes(kind));

function personOf(credentials: Credentials): string {
  if ('userName' in credentials) return credentials.userName;
  const card = credentials.kind === 'card' ? credentials.card : undefined;
  return people.find((person) => cardOf(person).equals(card)) ?? 'nobody';
}
const notAsked = () => Promise.reject(new Error('not asked here'));
const notAtRandom = (): never => {
  throw new Error('nothing here is left to chance');
};
