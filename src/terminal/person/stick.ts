/**
 * The stick that the person in front put in: whether a stick is there, its content when they ask, and the file that
 * they touch on its way into their documents, with their own token. All of it is theirs while they are at their list,
 * and forgotten afterwards (INVARIANTS.md I3). A transfer is then broken off, and half a file makes no document.
 * Nothing is read from a stick before a person is signed in.
 */
import { Readable } from 'node:stream';
import { minutes, seconds } from '../../core/duration.ts';
import type { Fact } from '../../core/log.ts';
import type { Env } from '../../domain/env.ts';
import type { Bringing } from '../../domain/ports/bringing.ts';
import type { Stick, StickContents, StickFile, Sticks } from '../../domain/ports/sticks.ts';
import { StickFailure } from '../../domain/ports/sticks.ts';
import { logFailure, serviceFailure } from '../../domain/problem/service-failure.ts';
import type { StickWord } from '../../domain/terminal/persons-word.ts';
import type { StickView, StickWhy } from '../../domain/terminal/stick-view.ts';
import type { Session } from '../given.ts';
import type { TerminalEvent } from '../events.ts';
import type { Told } from '../endings.ts';
import { beginsCountdown } from '../endings.ts';

/** Set if the terminal has a place for sticks. */
export interface StickSource {
  readonly sticks: Sticks;
  readonly bringing: Bringing;
  /** The name of the queue, from the configuration. */
  readonly queue: string | undefined;
}

export interface StickDeps extends Pick<Env, 'clock' | 'log'> {
  /** Absent if people may not bring files. */
  readonly stick: StickSource | undefined;
  /** The view of the stick has changed. */
  onChange(): void;
  tell(event: TerminalEvent): void;
}

const untilNextLook = seconds(1);
const queuePatience = seconds(10);
/** The person gets this time while a file is read, because no progress is visible before the file is complete. */
const readingPatience = minutes(1);
/** The pause between two reports of progress, in milliseconds. */
const betweenProgress = 1_000;

/** Kept during the session. A person who signs out is told that the stick is still in. */
interface Served {
  readonly session: Session;
  readonly left: AbortController;
  sticks: readonly Stick[];
  opened?: Opened;
}

/** Kept while the person looks at the stick. */
interface Opened {
  readonly stick: Stick;
  readonly closed: AbortController;
  contents?: StickContents;
  bringing?: { readonly file: StickFile; readonly since: number; sent: number };
  brought?: string;
  why?: StickWhy;
}

export class StickDesk {
  readonly #deps: StickDeps;
  #served: Served | undefined;
  #edition = 0;

  constructor(deps: StickDeps) {
    this.#deps = deps;
  }

  /** The open session, and whether its person is at the list. */
  follow(session: Session | undefined, { isAtList }: { readonly isAtList: boolean }): void {
    const { stick: source } = this.#deps;
    if (!source) return;
    const isAnother = session?.id !== this.#served?.session.id;
    if (this.#served && (isAnother || !isAtList)) this.#close(this.#served);
    if (!isAnother) return;
    this.#served?.left.abort();
    this.#served = session && { session, left: new AbortController(), sticks: [] };
    if (this.#served) void this.#watch(this.#served, source);
  }

  /** Whether the view offers this word. */
  offers(said: StickWord): boolean {
    const view = this.view();
    if (said.type === 'open-stick') return view?.stage === 'in';
    if (said.type === 'close-stick') return this.#served?.opened !== undefined;
    return view?.stage === 'files' && said.edition === view.edition && view.files?.[said.file] !== undefined;
  }

  hear(said: StickWord): void {
    const { stick: source } = this.#deps;
    const served = this.#served;
    if (!source || !served || !this.offers(said)) return;
    if (said.type === 'open-stick') void this.#read(served, source);
    else if (said.type === 'close-stick') this.#close(served);
    else void this.#bring(served, said.file, source);
    this.#deps.onChange();
  }

  view(): StickView | undefined {
    const { opened, sticks = [] } = this.#served ?? {};
    const edition = this.#edition;
    if (!opened) {
      if (sticks.length === 0) return undefined;
      return { stage: sticks.length === 1 ? 'in' : 'several', edition };
    }
    const { contents, bringing, why, brought } = opened;
    if (bringing) {
      const { file, sent } = bringing;
      return {
        stage: 'bringing',
        edition,
        name: file.name,
        percent: Math.floor((100 * sent) / Math.max(1, file.octets)),
      };
    }
    if (!contents) return why ? { stage: 'failed', edition, why } : { stage: 'reading', edition };
    return {
      stage: 'files',
      edition,
      files: contents.files.map(({ folder, name, octets }) => ({ folder, name, octets })),
      ...(contents.isMore && { isMore: true }),
      ...(brought !== undefined && { name: brought }),
      ...(why && { why }),
    };
  }

  async #watch(served: Served, { sticks }: StickSource): Promise<void> {
    const { signal } = served.left;
    while (!signal.aborted) {
      const found = await sticks.present();
      if (signal.aborted) return;
      this.#found(served, found);
      if (this.#isBeingRead(served)) this.#deps.tell({ type: 'PROGRESS', sessionId: served.session.id });
      await this.#deps.clock.sleep(untilNextLook, { signal }).catch(() => undefined);
    }
  }

  #isBeingRead({ opened }: Served): boolean {
    const { bringing } = opened ?? {};
    return bringing?.sent === 0 && this.#deps.clock.monotonic() - bringing.since < readingPatience;
  }

  #found(served: Served, found: readonly Stick[]): void {
    const isSame = found.map(({ id }) => id).join('\n') === served.sticks.map(({ id }) => id).join('\n');
    if (isSame) return;
    served.sticks = found;
    const { opened } = served;
    if (opened && !found.some(({ id }) => id === opened.stick.id)) {
      opened.closed.abort('pulled-out');
      served.opened = { stick: opened.stick, closed: new AbortController(), why: 'pulled-out' };
    }
    this.#deps.onChange();
  }

  #close(served: Served): void {
    served.opened?.closed.abort('left');
    delete served.opened;
  }

  async #read(served: Served, { sticks }: StickSource): Promise<void> {
    const [stick] = served.sticks;
    if (!stick) return;
    const opened: Opened = { stick, closed: new AbortController() };
    served.opened = opened;
    const { signal } = opened.closed;
    const { log, onChange } = this.#deps;
    const sessionId = served.session.id;
    try {
      const contents = await sticks.files(stick, { signal });
      if (signal.aborted) return;
      opened.contents = contents;
      this.#edition += 1;
      log.info('stick read', { sessionId, files: contents.files.length });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StickFailure) log.warn('stick not read', { sessionId, ...factsOf(error) });
      else logFailure(log, 'stick not read', serviceFailure(error), { sessionId });
      opened.why = whyOf(error);
    }
    onChange();
  }

  async #bring(served: Served, place: number, source: StickSource): Promise<void> {
    const { opened, session } = served;
    const file = opened?.contents?.files[place];
    if (!opened || !file) return;
    const { signal } = opened.closed;
    const { log, onChange, tell } = this.#deps;
    delete opened.why;
    delete opened.brought;
    opened.bringing = { file, since: this.#deps.clock.monotonic(), sent: 0 };
    const facts = { sessionId: session.id, octets: file.octets };
    try {
      const documentUuid = await this.#send(file, { opened, session }, source);
      log.info('file brought', { ...facts, ...(documentUuid !== undefined && { documentUuid }) });
      if (signal.aborted) return;
      if (documentUuid === undefined) opened.why = 'no-queue';
      else opened.brought = file.name;
    } catch (error) {
      if (signal.aborted) return log.info('file not brought', { ...facts, reason: String(signal.reason) });
      if (error instanceof StickFailure) log.warn('file not brought', { ...facts, ...factsOf(error) });
      else logFailure(log, 'file not brought', serviceFailure(error), facts);
      opened.why = whyOf(error);
    }
    delete opened.bringing;
    if (opened.brought !== undefined) tell({ type: 'BROUGHT', sessionId: session.id });
    onChange();
  }

  /** `undefined` if there is no queue for the file. */
  async #send(
    file: StickFile,
    { opened, session }: { readonly opened: Opened; readonly session: Session },
    { sticks, bringing, queue: wanted }: StickSource,
  ): Promise<string | undefined> {
    const { signal } = opened.closed;
    const { login } = session;
    const soon = { signal: this.#deps.clock.deadline(queuePatience, signal) };
    const queue = await bringing.queue(wanted, login, soon);
    if (queue === undefined) return undefined;
    const chunks = await sticks.read(opened.stick, file, { signal });
    let broken: unknown;
    const coming = this.#counted(chunks, opened, session.id);
    async function* watched(): AsyncGenerator<Buffer> {
      try {
        yield* coming;
      } catch (error) {
        broken = error;
        throw error;
      }
    }
    const stream = Readable.from(watched(), { objectMode: false });
    try {
      return await bringing.bring({ name: file.name, octets: file.octets, stream }, { queue }, login, {
        signal,
      });
    } catch (error) {
      throw broken ?? error;
    } finally {
      stream.destroy();
      await chunks.return(undefined);
    }
  }

  async *#counted(chunks: AsyncIterable<Buffer>, opened: Opened, sessionId: string): AsyncGenerator<Buffer> {
    const { clock, onChange, tell } = this.#deps;
    let told = clock.monotonic();
    for await (const chunk of chunks) {
      yield chunk;
      if (opened.bringing) opened.bringing.sent += chunk.length;
      if (clock.monotonic() - told < betweenProgress) continue;
      told = clock.monotonic();
      tell({ type: 'PROGRESS', sessionId });
      onChange();
    }
  }
}

const factsOf = ({ why, message }: StickFailure): Record<string, Fact> => ({ reason: why, detail: message });

function whyOf(error: unknown): StickWhy {
  if (error instanceof StickFailure) return error.why === 'not-shut-in' ? 'failed' : error.why;
  const { code } = serviceFailure(error);
  if (code === 'cloud-denied') return 'denied';
  if (code === 'document-too-large') return 'too-large';
  return code.startsWith('cloud-') || code === 'user-token-refused' ? 'not-sent' : 'failed';
}

const tellsStick = {
  guard: ({ context: { generation, given }, event }: Told<StickWord>): boolean =>
    event.generation === generation && given.stick.offers(event),
  // A person who looks at their stick wants to choose, with autoRelease, too.
  actions: [
    ({ context, event }: Told<StickWord>): void => context.given.stick.hear(event),
    'wantSome',
    ...beginsCountdown,
  ],
} as const;

/** The words about a stick at the list, as parts of its state (`choosing.ts`). */
export const stickWords = {
  'open-stick': tellsStick,
  'bring-file': tellsStick,
  'close-stick': tellsStick,
  // The file is the person's, and they wait for it.
  PROGRESS: { guard: 'isOwn', actions: beginsCountdown },
  // The list does not have the document yet.
  BROUGHT: { guard: 'isOwn', target: '.looking', reenter: true },
} as const;
