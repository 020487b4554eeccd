/**
 * One printer with habits, and a terminal's release desk, ledger and printing before it; the cloud is a file. Time leaps
 * for all of them when nothing is on its way. What came out is told by the printer's own record, never by ours.
 */
import { Readable } from 'node:stream';
import { systemChance } from '../../../src/core/chance.ts';
import type { Clock } from '../../../src/core/clock.ts';
import { hours, milliseconds, minutes, seconds } from '../../../src/core/duration.ts';
import type { Ledger } from '../../../src/domain/ports/ledger.ts';
import type { KnownPrinter } from '../../../src/domain/ports/printer-memory.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';
import type { Ticket } from '../../../src/domain/release.ts';
import { createPrinterTurns } from '../../../src/release/turns.ts';
import { createEmbeddedClaims } from '../../../src/release/claiming.ts';
import { createReleaseDesk } from '../../../src/release/desk.ts';
import { OnTheWay } from '../../../src/release/on-the-way.ts';
import { createIppPrinter } from '../../../src/printing/ipp/ipp-printer.ts';
import { systemTrust } from '../../../src/printing/ipp/system-trust.ts';
import { openSpool } from '../../../src/printing/spool/spool.ts';
import type { HabitWish } from '../../../src/simulator/printer/habits/habits.ts';
import type { VirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { samplePdf } from '../../../src/simulator/sample/sample-pdf.ts';
import { openBooks } from '../../support/store/books.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';

export const pages = 5;
/** Longer than every buffer for names, and not in ASCII alone. */
export const title =
  'Überarbeitete Pläne der Außenfassade und der Dächer, dritter Bauabschnitt, mit den Änderungen der Behörden vom Frühjahr.pdf';
const pdf = samplePdf({ title: 'Plan', pages });

/** What became of a release, in the ledger's words: `completed, device`, `unknown, print-incomplete`. */
export type Word = string;

export interface Life {
  /** Resolves when its outcome is durable. */
  release(ticket: Ticket): Promise<Word>;
  /** Whoever wanted it goes. */
  ownerLeaves(ticket: Ticket): void;
  /** Settles what the life before left open. */
  resume(): Promise<readonly Word[]>;
  /** As a power cut does: nothing of it is said to anybody any more. */
  kill(): Promise<void>;
}

export interface ReleaseStage extends AsyncDisposable {
  readonly peer: VirtualPrinter;
  readonly clock: Clock;
  /** Lets time pass until nothing is thrown. */
  see(assertion: () => void): Promise<void>;
  /** By the printer's own record, when nothing of ours is left in it: `all, once`, `nothing`, `1 of 5 pages`. */
  cameOut(): Promise<string>;
  /** What is remembered of the printer. */
  habits(): KnownPrinter['habits'];
  /** Starts the agent, again where it was killed. `killedAfter`: this record was its last deed. */
  live(killedAfter?: 'jobCreated' | 'sent'): Life;
}

export const ticketOf = (number: number): Ticket =>
  sampleTicket(
    { uuid: `doc-${number}`, name: title, totalPages: pages, paperSize: 'A4' },
    { releaseId: number.toString(16).padStart(8, 'a').padEnd(32, '0'), sendUsername: true },
  );

export async function releaseStage(habits: readonly HabitWish[], pageTime: number): Promise<ReleaseStage> {
  await using opened = new AsyncDisposableStack();
  const time = createVirtualTime();
  const clock = time.clock();
  const peer = opened.use(await startVirtualPrinter({ habits, pageTime: milliseconds(pageTime), clock }));
  // It has been up for a while: who has just been switched on could have been again since.
  time.forward(minutes(1));
  const books = opened.use(openBooks());
  const folder = opened.use(temporaryDirectory());
  const spool = opened.use(await openSpool({ directory: folder.path, chance: systemChance }));
  let known: KnownPrinter | undefined;
  const access = {
    memory: {
      recall: () => known,
      keep: (_: string, next: KnownPrinter) => {
        known = next;
      },
      all: () => [],
    },
    tls: { trust: 'auto' },
    chance: systemChance,
  } as const;
  const wordOn = (releaseId: string): Word => {
    const row = books.register.find(releaseId)?.row;
    return [row?.outcome ?? 'open', row?.confirmation ?? row?.problem].filter(Boolean).join(', ');
  };

  const held = opened.move();
  function live(killedAfter?: 'jobCreated' | 'sent'): Life {
    let isDead = false;
    const dead = Promise.withResolvers<void>();
    const { log } = recordLog();
    const printer = createIppPrinter({
      uri: peer.uri,
      outputType: 'auto',
      stall: seconds(30),
      clock,
      log,
      trust: systemTrust(),
      access,
    });
    held.defer(() => printer[Symbol.asyncDispose]());
    async function kill(): Promise<void> {
      if (isDead) return;
      isDead = true;
      await printer[Symbol.asyncDispose]();
      dead.resolve();
    }
    /** The dead write nothing. */
    const ledger: Ledger = new Proxy(books.ledger, {
      get(target, name) {
        if (isDead) throw new Problem('store-failed', 'the agent is no more');
        const deed: unknown = Reflect.get(target, name);
        if (typeof deed !== 'function') return deed;
        return (...facts: readonly unknown[]) => {
          const done: unknown = Reflect.apply(deed, target, facts);
          if (name === killedAfter) void kill();
          return done;
        };
      },
    });
    const idle: (() => void)[] = [];
    const desk = createReleaseDesk({
      terminal: 'lobby',
      world: {
        printer: () => printer,
        spool,
        converter: { convert: notAsked, examine: notAsked },
        documents: {
          download: async () => ({ length: pdf.length, bytes: Readable.from([pdf], { objectMode: false }) }),
          remove: async () => {},
          requireReady: async () => {},
          ready: notAsked,
          consume: notAsked,
          deliver: notAsked,
          statusOf: notAsked,
        },
        balance: { check: async () => 'not-charged', quote: notAsked, own: notAsked },
        ledger,
        claims: createEmbeddedClaims({ ledger }),
        place: () => 'Entrance',
        // Nobody is woken who is no more.
        clock: { ...clock, setTimeout: (action, delay) => clock.setTimeout(() => isDead || action(), delay) },
        portKey: () => ({ serialNumber: 'SN-0001' }),
        delivery: 'local',
        finish: 'delete',
        requireConfirmation: false,
        serviceTime: { at: () => undefined },
        unknownHold: hours(24),
        cutThrough: 'auto',
        onStage: () => {},
      },
      onTheWay: new OnTheWay(),
      setAside: new Map(),
      turns: createPrinterTurns(),
      log,
      chance: systemChance,
      onEvent: ({ type }) => {
        if (type === 'done' && desk.isIdle()) for (const tell of idle.splice(0)) tell();
      },
    });
    return {
      kill,
      ownerLeaves: ({ sessionId }) => desk.ownerLeft(sessionId),
      async release(ticket) {
        const ended = Promise.withResolvers<void>();
        desk.release([ticket], ({ type }) => type === 'ended' && ended.resolve());
        await time.until(Promise.race([ended.promise, dead.promise]));
        return wordOn(ticket.releaseId);
      },
      async resume() {
        const open = ledger.open();
        if (open.length === 0) return [];
        const settled = new Promise<void>((resolve) => idle.push(resolve));
        desk.resume(open);
        await time.until(settled);
        return open.map(({ releaseId }) => wordOn(releaseId));
      },
    };
  }

  return {
    peer,
    clock,
    live,
    see: time.see,
    async cameOut() {
      // Longer than anything prints that prints at all.
      await time.until(clock.sleep(minutes(5)));
      return outputOf(peer);
    },
    habits: () => known?.habits,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const notAsked = (): Promise<never> => Promise.reject(new Error('not asked in a release'));

function outputOf({ outputs }: VirtualPrinter): string {
  const out = outputs.filter(({ impressions }) => impressions > 0);
  const [only] = out;
  if (only === undefined) return 'nothing';
  if (out.length === 1 && only.complete && only.impressions === pages) return 'all, once';
  return `${out.map(({ impressions }) => impressions).join(' + ')} of ${pages} pages`;
}
