/** One terminal with a service, a desk and a clock that do what a test laid out. */
import { onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { hours, seconds } from '../../../src/core/duration.ts';
import { Secret } from '../../../src/core/secret.ts';
import { CardNumber } from '../../../src/domain/card/card-number.ts';
import type { PrinterCan } from '../../../src/domain/document-changes.ts';
import type { Document } from '../../../src/domain/document.ts';
import type { Quote } from '../../../src/domain/balance.ts';
import type { LockOut } from '../../../src/domain/lock-out.ts';
import type { LoginOffer } from '../../../src/domain/login.ts';
import type { HeldElsewhere } from '../../../src/domain/ports/claims.ts';
import type { CallOptions } from '../../../src/domain/ports/call.ts';
import type { KeptDefaults } from '../../../src/domain/ports/defaults.ts';
import type { Languages } from '../../../src/domain/ports/languages.ts';
import type { Ledger, ReleaseRow } from '../../../src/domain/ports/ledger.ts';
import type { OwnAccount } from '../../../src/domain/ports/own-account.ts';
import type { PagePictures } from '../../../src/domain/ports/preview.ts';
import type {
  Balance,
  Chargeable,
  Documents,
  ListOptions,
  PermittedPorts,
  Users,
} from '../../../src/domain/ports/service.ts';
import type { ReaderSignal } from '../../../src/domain/ports/readers.ts';
import type { Problem } from '../../../src/domain/problem/problem.ts';
import type { FinishMode, LastRelease, Standing, Ticket } from '../../../src/domain/release.ts';
import type { Credentials, Login } from '../../../src/domain/user.ts';
import type { AccountOffer } from '../../../src/terminal/person/account-context.ts';
import type { StageUnderWay } from '../../../src/release/events.ts';
import type { StickSource } from '../../../src/terminal/person/stick.ts';
import { createTerminal } from '../../../src/terminal/runner.ts';
import type { TerminalDeps } from '../../../src/terminal/world.ts';
import { recordLog } from '../recorded-log.ts';
import { sampleDocument } from '../sample-ticket.ts';
import { createSteeredClock } from '../steered-clock.ts';
import type { PrintersAtHand } from '../../../src/terminal/printers/at-hand.ts';
import { cardsOnly, loginWorld, printerThatCan } from './login-world.ts';

export const alice = new CardNumber('04A1B2C3D4');
export const bob = new CardNumber('04B5C6D7E8');

export const documentNamed = (uuid: string, facts: Partial<Document> = {}) =>
  sampleDocument({ uuid, name: `${uuid}.pdf`, ...facts });

export function terminalStage(
  options: {
    autoRelease?: boolean;
    /** All is printed grey. */
    monochrome?: boolean;
    /** Whether somebody has a page, or the prompt; nobody unless said. */
    canBeAsked?: boolean;
    documents?: Document[];
    standings?: Record<string, Standing>;
    last?: LastRelease;
    /** Facts of its end in the ledger. */
    ending?: Readonly<Record<string, unknown>>;
    /** What other members of the fleet have; nothing unless said. */
    elsewhere?: Readonly<Record<string, HeldElsewhere>>;
    /** What the ledger refuses the person's word with. */
    confirm?: Problem;
    /** When the ledger is on disk; at once unless said. */
    durable?: Promise<void>;
    login?: (credentials: Credentials, options: CallOptions) => Promise<Login>;
    /** Beside the badge; nothing unless said. */
    offer?: Partial<LoginOffer>;
    enrolCard?: Users['enrolCard'];
    lockOut?: LockOut;
    /** Off unless said. */
    account?: AccountOffer;
    ownAccount?: Partial<OwnAccount>;
    ownBalance?: Balance['own'];
    /** Everything is always given back, unless said. */
    cardReturn?: TerminalDeps['cardReturn'];
    /** Nothing is kept unless said. */
    defaults?: KeptDefaults;
    /** What is certain where it is asked for; all unless said. */
    printerCan?: () => PrinterCan;
    /** One that can all, unless said. */
    printers?: PrintersAtHand;
    /** Nothing is remembered unless said. */
    languages?: Languages;
    /** Whether the user may print here; yes unless said. */
    mayPrint?: PermittedPorts['include'];
    /** The terminal's own, where that is asked; 7 unless said. */
    outputPort?: () => number | undefined;
    list?: (call: ListOptions) => Promise<readonly Document[]>;
    isReleasing?: () => boolean;
    mayBeMore?: boolean;
    underOtherName?: number;
    finish?: FinishMode;
    /** Documents may be looked at: what their pages look like, and how they come; nobody may unless said. */
    pictures?: PagePictures;
    download?: Documents['download'];
    /** Nobody may bring a file unless said. */
    stick?: StickSource;
    /** What a deletion in the cloud comes to. */
    remove?: () => Promise<void>;
    /** Cost of each document; absent where prints are not charged. */
    quote?: (wanted: Chargeable, options: CallOptions) => Promise<Quote | undefined>;
  } = {},
) {
  const clock = createSteeredClock();
  const log = recordLog();
  const tickets: Ticket[] = [];
  const ends = new Map<string, (problem?: Problem) => void>();
  const removed: string[] = [];
  const settled: string[] = [];
  const confirmed: string[] = [];
  const found: (readonly [string, string])[] = [];
  const places: ((before: number) => void)[] = [];
  const progress: (() => void)[] = [];
  const stages: ((stage: Stage) => void)[] = [];
  const left: string[] = [];
  const signals: (readonly [ReaderSignal, CardNumber])[] = [];
  const documents = options.documents ?? [documentNamed('one'), documentNamed('two')];
  let logins = 0;
  const world = loginWorld();
  const terminal = createTerminal({
    ...world,
    ...(options.enrolCard ? { users: { enrolCard: options.enrolCard } } : {}),
    ...(options.lockOut ? { lockOut: options.lockOut } : {}),
    ...(options.defaults ? { defaults: options.defaults } : {}),
    ...(options.cardReturn ? { cardReturn: options.cardReturn } : {}),
    printers: options.printers ?? [
      printerThatCan({
        ...(options.printerCan && { can: options.printerCan }),
        monochrome: options.monochrome ?? false,
      }),
    ],
    ...(options.languages ? { languages: options.languages } : {}),
    claims: {
      elsewhere: async () => new Map(Object.entries(options.elsewhere ?? {})),
      found: (uuid, { releaseId }) => void found.push([uuid, releaseId]),
    },
    id: 'lobby',
    logins: {
      login: async (credentials, call) => {
        logins += 1;
        if (options.login) return options.login(credentials, call);
        const isAlice = credentials.kind === 'card' && credentials.card.equals(alice);
        const userName = isAlice ? 'alice' : 'bob';
        return {
          user: { id: logins, providerId: 3, userName, fullName: userName },
          token: { value: new Secret(`token of ${userName}`), expiresAt: hours(1) },
        };
      },
    },
    documents: {
      ready: async (_, call) => ({
        documents: await (options.list?.(call) ?? documents),
        mayBeMore: options.mayBeMore ?? false,
        underOtherName: options.underOtherName ?? 0,
      }),
      requireReady: () => Promise.reject(new Error('the desk looks again')),
      download: options.download ?? (() => Promise.reject(new Error('the desk downloads'))),
      remove: async (uuid) => {
        await options.remove?.();
        removed.push(uuid);
      },
      consume: () => Promise.reject(new Error('the terminal finishes by deleting')),
      deliver: () => Promise.reject(new Error('the desk delivers')),
      statusOf: () => Promise.reject(new Error('the desk delivers')),
    },
    finish: options.finish ?? 'delete',
    ...(options.mayPrint
      ? {
          permittedPorts: { include: options.mayPrint },
          outputPort: options.outputPort ?? (() => 7),
        }
      : {}),
    ...(options.pictures ? { pictures: options.pictures } : {}),
    ...(options.stick ? { stick: options.stick } : {}),
    balance: {
      quote: options.quote ?? (async () => undefined),
      own: options.ownBalance ?? (async () => undefined),
    },
    ...(options.ownAccount ? { ownAccount: { ...world.ownAccount, ...options.ownAccount } } : {}),
    ledger: {
      lastRelease: () => options.last,
      deleted: (releaseId) => void settled.push(releaseId),
      confirmedByPerson: (releaseId) => {
        if (options.confirm) throw options.confirm;
        confirmed.push(releaseId);
      },
      durable: async () => options.durable,
    } as Partial<Ledger> as Ledger,
    releases: {
      find: (releaseId) => ({
        row: { releaseId, endedAt: '2026-11-21T12:08:00.000Z' } as Partial<ReleaseRow> as ReleaseRow,
        events: [
          { state: 'INTENT', at: '2026-11-21T11:58:00.000Z', facts: {} },
          { state: 'PARTIAL', at: '2026-11-21T11:59:00.000Z', facts: options.ending ?? {} },
        ],
      }),
    },
    desk: {
      isIdle: () => true,
      isReleasing: options.isReleasing ?? (() => false),
      standing: (uuid) => options.standings?.[uuid] ?? 'releasable',
      release(wanted, listener) {
        const [first] = wanted;
        const names = { releaseId: first?.releaseId ?? '', documentUuid: first?.document.uuid ?? '' };
        places.push((before) => listener({ type: 'turn', before, ...names }));
        progress.push(() => listener({ type: 'progress', ...names }));
        stages.push((stage) => listener({ ...names, ...newsOf(stage) }));
        for (const ticket of wanted) {
          const { releaseId, document } = ticket;
          tickets.push(ticket);
          ends.set(document.uuid, (problem) => {
            const ended = { type: 'ended', releaseId, documentUuid: document.uuid, problem } as const;
            listener({ ...ended, ...endOf(problem) });
          });
        }
      },
      ownerLeft: (sessionId) => void left.push(sessionId),
      resume: () => {},
      stop: async () => {},
    },
    settings: () => ({
      autoRelease: options.autoRelease ?? false,
      logoutTimeout: seconds(60),
      login: { ...cardsOnly, ...options.offer },
      canBeAsked: options.canBeAsked ?? false,
      preview: options.pictures !== undefined,
      askAbovePages: 50,
      account: options.account ?? 'off',
    }),
    clock,
    chance: systemChance,
    log: log.log,
    onStage: () => {},
    onSignal: (...reported) => void signals.push(reported),
    settle: async () => {},
  });
  const stop = new AbortController();
  const running = terminal.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  terminal.tell({ type: 'authorized' });
  const turn = () => clock.advance(seconds(0));
  return {
    terminal,
    clock,
    log,
    tickets,
    ends,
    places,
    progress,
    stages,
    left,
    signals,
    removed,
    settled,
    confirmed,
    found,
    stop,
    turn,
    tap: async (card: CardNumber) => {
      terminal.tell({ type: 'card', card });
      await turn();
    },
    /** The generation of the view that shows it; `undefined` while the terminal is out of service. */
    relay() {
      terminal.tell({ type: 'card-relayed' });
      const { state, generation } = terminal.view.current();
      return state === 'relaying' ? generation : undefined;
    },
    closed: () => log.records('session closed').map(({ reason }) => reason),
    /** How often the service was asked who it is. */
    logins: () => logins,
    raised: world.conditions.raised,
    generation: () => terminal.view.current().generation,
    state: () => terminal.view.current().state,
    sentence: () => terminal.view.current().sentence,
  };
}

/** How far a document is, on its way to the printer. */
interface Stage {
  readonly documentUuid: string;
  readonly stage: StageUnderWay;
  readonly page?: number;
  readonly pages?: number;
}

const newsOf = ({ documentUuid, stage, page, pages }: Stage) =>
  page === undefined
    ? ({ type: 'stage', documentUuid, stage } as const)
    : ({ type: 'page', documentUuid, page, ...(pages === undefined ? {} : { pages }) } as const);

/** Of a fault that leaves in doubt whether pages came out, unknown. */
function endOf(problem: Problem | undefined) {
  if (!problem) return { outcome: 'completed', stage: 'printed' } as const;
  return problem.delivery === 'perhaps'
    ? ({ outcome: 'unknown', stage: 'unknown' } as const)
    : ({ outcome: 'failed', stage: 'failed' } as const);
}
