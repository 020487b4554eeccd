/**
 * The open event streams of the kiosk (server-sent events of the HTML standard, section 9.2). Each shows one terminal
 * and gets a frame after every change, with the generation as `id`. Only one page with a pass gets the private fields
 * (I3): the newest page takes over from the earlier one. Passers-by and desks get public fields, desks without the
 * fields that ask for input. A page that was replaced is told when no page is left.
 */
import type { ServerResponse } from 'node:http';
import type { Duration } from '../../core/duration.ts';
import { seconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { TerminalView, TerminalViewSource } from '../../domain/terminal/terminal-view.ts';
import type { Frame } from '../frame.ts';
import { buildEvent, freeEvent, heartbeatEvent, movedEvent, pageEvent } from '../frame.ts';
import { deskFrame, privateFields, publicFrame } from './frames.ts';
import { isInUse } from '../../domain/terminal/persons-word.ts';

/**
 * `person`: the launched page, for the person in front. `aside`: a launched page that was replaced and waits for its
 * turn.
 */
export type Audience = 'person' | 'passer-by' | 'desk' | 'aside';

/** Limits per terminal and audience, so that a crowd of one audience cannot displace another. */
const most: Readonly<Record<Audience, number>> = { person: 1, 'passer-by': 8, desk: 4, aside: 4 };
const heartbeatInterval = seconds(15);
/** Short, so that a page soon notices that its private data may be old (INVARIANTS.md B.4, 10). */
const sessionHeartbeatInterval = seconds(2);

const event = (type: string, data: string): string => `event: ${type}\ndata: ${data}\n\n`;
/** For other audiences, which need no event. A comment is not visible to a page (HTML standard, 9.2.6). */
const comment = ': still here\n\n';
const heartbeat = event(heartbeatEvent, '{}');
const nameBytes = 16;

export interface NewStream {
  readonly source: TerminalViewSource;
  readonly response: ServerResponse;
  readonly audience: Audience;
  /** The stream is closed, or another page has taken over. */
  onEnd(): void;
}

interface Stream extends NewStream {
  /** The name that the page must put into its commands. */
  readonly name: string;
  /** Disposed when the stream ends. */
  readonly held: DisposableStack;
  /** A frame could not be sent. When the page reads again, it gets the newest frame. */
  isBehind: boolean;
  /** The page has read nothing since the last heartbeat. */
  isStuck: boolean;
}

export interface StreamsDeps extends Pick<Env, 'clock' | 'chance'> {
  /** Tells a page whether its files are the current ones. */
  readonly build: string;
}

export class Streams {
  readonly #deps: StreamsDeps;
  readonly #open = new Set<Stream>();

  constructor(deps: StreamsDeps) {
    this.#deps = deps;
  }

  /** Answers the request with a stream. If the limit is reached, the oldest stream of the same audience ends. */
  open(opened: NewStream): void {
    const { source, audience } = opened;
    const before = this.#alike(opened);
    const name = this.#deps.chance.bytes(nameBytes).toString('base64url');
    const stream = { ...opened, name, held: new DisposableStack(), isBehind: false, isStuck: false };
    this.#open.add(stream);
    stream.held.defer(() => opened.onEnd());
    stream.held.defer(source.onChange(() => show(stream)));
    // The page that was loaded last is the one that the person looks at.
    if (audience === 'person') before.forEach(move);
    else if (before.length >= most[audience]) before[0]?.response.end();
    this.#answer(stream);
  }

  /** Whether the page of this name is the one that gets the private fields. */
  isShown(source: TerminalViewSource, name: unknown): boolean {
    return this.#alike({ source, audience: 'person' }).some((stream) => stream.name === name);
  }

  /** A browser was launched anew, so pages with the earlier pass get no private fields any more. */
  supersede(source: TerminalViewSource): void {
    this.#alike({ source, audience: 'person' }).forEach(move);
  }

  /** Ends the streams of a terminal that is gone. */
  end(source: TerminalViewSource): void {
    for (const stream of this.#open) if (stream.source === source) stream.response.end();
  }

  /** Sends heartbeats until the signal aborts, then ends all streams. */
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

  /** Tells the waiting pages that they may come back, if no page with private fields is left. */
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
  // A page that reads so little is not in use.
  else if (isStuck) response.destroy();
  else stream.isStuck = true;
}

const isOfSession = ({ source, audience }: Stream): boolean =>
  audience === 'person' && isInUse(source.current());

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
