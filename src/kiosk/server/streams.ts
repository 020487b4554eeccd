/**
 * The open event streams of the kiosk (server-sent events of the HTML standard, section 9.2): each shows one terminal
 * and gets a frame after every change, its `id` the generation. Only a page with a pass is told what is of the person in
 * front (I3), and only one of them at a time: the newest takes over from the one before. Whoever passes by, or looks on
 * from a desk, is told what anybody may see; the desk not even what could be typed. A page that another one took over from
 * is told when none is left.
 */
import type { ServerResponse } from 'node:http';
import type { Duration } from '../../core/duration.ts';
import { seconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { TerminalView, TerminalViewSource } from '../../domain/terminal/terminal-view.ts';
import type { Frame } from '../frame.ts';
import { buildEvent, freeEvent, heartbeatEvent, movedEvent, pageEvent } from '../frame.ts';
import { deskFrame, privateFields, publicFrame } from './frames.ts';
import { isSomebodys } from '../../domain/terminal/persons-word.ts';

/** `person`: the launched page, for whoever is in front; `aside`: one that was, and waits for its turn. */
export type Audience = 'person' | 'passer-by' | 'desk' | 'aside';

/** Of a terminal; counted apart, so that no crowd of one keeps out another. */
const most: Readonly<Record<Audience, number>> = { person: 1, 'passer-by': 8, desk: 4, aside: 4 };
const heartbeatInterval = seconds(15);
/** So that a page soon sees that what it shows of a person may be old (INVARIANTS.md B.4, 10). */
const sessionHeartbeatInterval = seconds(2);

const event = (type: string, data: string): string => `event: ${type}\ndata: ${data}\n\n`;
/** For those who only read along, and for a page, which is not told of comments (HTML standard, 9.2.6). */
const comment = ': still here\n\n';
const heartbeat = event(heartbeatEvent, '{}');
const nameBytes = 16;

export interface NewStream {
  readonly source: TerminalViewSource;
  readonly response: ServerResponse;
  readonly audience: Audience;
  /** It is closed, or another one has taken over. */
  onEnd(): void;
}

interface Stream extends NewStream {
  /** What the page is known by. */
  readonly name: string;
  /** To be let go when it ends. */
  readonly held: DisposableStack;
  /** What was to be sent since could not be: it gets the newest frame when it reads again. */
  isBehind: boolean;
  /** It read nothing since the last heartbeat. */
  isStuck: boolean;
}

export interface StreamsDeps extends Pick<Env, 'clock' | 'chance'> {
  /** Tells a page whether it is the present one. */
  readonly build: string;
}

export class Streams {
  readonly #deps: StreamsDeps;
  readonly #open = new Set<Stream>();

  constructor(deps: StreamsDeps) {
    this.#deps = deps;
  }

  /** Answers the request with a stream; an older one of the terminal ends where it would be one too many. */
  open(opened: NewStream): void {
    const { source, audience } = opened;
    const before = this.#alike(opened);
    const name = this.#deps.chance.bytes(nameBytes).toString('base64url');
    const stream = { ...opened, name, held: new DisposableStack(), isBehind: false, isStuck: false };
    this.#open.add(stream);
    stream.held.defer(() => opened.onEnd());
    stream.held.defer(source.onChange(() => show(stream)));
    // The page that was loaded last is the one somebody looks at.
    if (audience === 'person') before.forEach(move);
    else if (before.length >= most[audience]) before[0]?.response.end();
    this.#answer(stream);
  }

  /** Whether the page of this name is the one that is told what is of the person in front. */
  isShown(source: TerminalViewSource, name: unknown): boolean {
    return this.#alike({ source, audience: 'person' }).some((stream) => stream.name === name);
  }

  /** A browser was started anew: whoever had a pass before is told nothing private any more. */
  supersede(source: TerminalViewSource): void {
    this.#alike({ source, audience: 'person' }).forEach(move);
  }

  /** The terminal is gone: its streams end. */
  end(source: TerminalViewSource): void {
    for (const stream of this.#open) if (stream.source === source) stream.response.end();
  }

  /** Keeps the streams alive until the signal aborts, then ends them all. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#beatEvery(sessionHeartbeatInterval, isOfSession, signal),
      this.#beatEvery(heartbeatInterval, (stream) => !isOfSession(stream), signal),
    ]);
    for (const { response } of this.#open) response.end();
  }

  #alike(wanted: Pick<Stream, 'source' | 'audience'>): readonly Stream[] {
    return [...this.#open].filter(
      ({ source, audience, response }) =>
        source === wanted.source && audience === wanted.audience && !response.writableEnded,
    );
  }

  /** To those that wait for it, where no page is left that is told what is of the person in front. */
  #offer(source: TerminalViewSource): void {
    if (this.#alike({ source, audience: 'person' }).length > 0) return;
    for (const { response } of this.#alike({ source, audience: 'aside' })) {
      response.end(event(freeEvent, '{}'));
    }
  }

  #answer(stream: Stream): void {
    const { source, response, audience, name } = stream;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.on('drain', () => {
      stream.isStuck = false;
      if (stream.isBehind) show(stream);
    });
    response.on('close', () => {
      this.#open.delete(stream);
      stream.held.dispose();
      if (audience === 'person') this.#offer(source);
    });
    response.write(event(buildEvent, this.#deps.build));
    if (audience === 'person') response.write(event(pageEvent, name));
    if (audience === 'aside') this.#offer(source);
    show(stream);
  }

  async #beatEvery(
    interval: Duration,
    isDue: (stream: Stream) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      await this.#deps.clock.sleep(interval, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      for (const stream of this.#open) if (isDue(stream)) beat(stream);
    }
  }
}

function show(stream: Stream): void {
  if (stream.response.writableEnded || stream.audience === 'aside') return;
  stream.isBehind = stream.response.writableNeedDrain;
  if (!stream.isBehind) stream.response.write(frameOf(stream));
}

function move({ response, held }: Stream): void {
  response.end(event(movedEvent, '{}'));
  held.dispose();
}

function beat(stream: Stream): void {
  const { response, audience, isStuck } = stream;
  const isRead = !response.writableEnded && !response.writableNeedDrain;
  if (isRead) response.write(audience === 'person' ? heartbeat : comment);
  // A page that reads so little is not looking any more.
  else if (isStuck) response.destroy();
  else stream.isStuck = true;
}

const isOfSession = ({ source, audience }: Stream): boolean =>
  audience === 'person' && isSomebodys(source.current());

const frames: Readonly<Record<Exclude<Audience, 'aside'>, (view: TerminalView) => Frame>> = {
  person: (view) => ({ ...publicFrame(view), ...privateFields(view) }),
  'passer-by': publicFrame,
  desk: deskFrame,
};

function frameOf({ source, audience }: Stream): string {
  if (audience === 'aside') return '';
  const view = source.current();
  return `id: ${view.generation}\ndata: ${JSON.stringify(frames[audience](view))}\n\n`;
}
