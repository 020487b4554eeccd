/**
 * The open event streams of the kiosk (server-sent events of the HTML standard, section 9.2): each shows one terminal
 * and gets a frame after every change, its `id` the generation. Only a page with a pass is told what is of the person in
 * front (I3).
 */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { seconds } from '../core/duration.ts';
import type { TerminalViewSource } from '../domain/terminal-view.ts';
import { heartbeatEvent } from './frame.ts';
import { privateFields, publicFrame } from './frames.ts';
import { isSomebodys } from './terminal.ts';

/** With a pass, and as many without: nobody who has none can push a page with one out. */
const mostPerTerminal = 8;
const heartbeatInterval = seconds(15);
/** So that a page soon sees that what it shows of a person may be old (reliability.md B.4, 10). */
const sessionHeartbeatInterval = seconds(2);

/** For those who only read along, and for a page, which is not told of comments (HTML standard, 9.2.6). */
const comment = ': still here\n\n';
const heartbeat = `event: ${heartbeatEvent}\ndata: {}\n\n`;

export interface NewStream {
  readonly source: TerminalViewSource;
  readonly response: ServerResponse;
  readonly isPrivate: boolean;
  onClose(): void;
}

interface Stream extends NewStream {
  /** What was to be sent since could not be: it gets the newest frame when it reads again. */
  isBehind: boolean;
  /** It read nothing since the last heartbeat. */
  isStuck: boolean;
}

export interface Streams {
  /** Answers the request with a stream; the oldest one of the terminal ends where it would be one too many. */
  open(stream: NewStream): void;
  /** Keeps the streams alive until the signal aborts, then ends them all. */
  run(signal: AbortSignal): Promise<void>;
}

export function createStreams({ clock }: { clock: Clock }): Streams {
  const streams = new Set<Stream>();

  function show(stream: Stream): void {
    if (stream.response.writableEnded) return;
    stream.isBehind = stream.response.writableNeedDrain;
    if (!stream.isBehind) stream.response.write(frameOf(stream));
  }

  function beat(stream: Stream): void {
    const { response, isPrivate, isStuck } = stream;
    if (response.writableEnded) return;
    if (!response.writableNeedDrain) response.write(isPrivate ? heartbeat : comment);
    // A page that reads so little is not looking any more.
    else if (isStuck) response.destroy();
    else stream.isStuck = true;
  }

  async function every(interval: Duration, isDue: (stream: Stream) => boolean, signal: AbortSignal) {
    while (!signal.aborted) {
      await clock.sleep(interval, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      for (const stream of streams) if (isDue(stream)) beat(stream);
    }
  }

  return {
    open(opened) {
      const { source, response, isPrivate } = opened;
      const stream = { ...opened, isBehind: false, isStuck: false };
      const alike = [...streams].filter((one) => one.source === source && one.isPrivate === isPrivate);
      // The page that was loaded last is the one somebody looks at.
      if (alike.length >= mostPerTerminal) alike[0]?.response.end();
      streams.add(stream);
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      const unhook = source.onChange(() => show(stream));
      response.on('drain', () => {
        stream.isStuck = false;
        if (stream.isBehind) show(stream);
      });
      response.on('close', () => {
        unhook();
        streams.delete(stream);
        opened.onClose();
      });
      show(stream);
    },
    async run(signal) {
      await Promise.all([
        every(sessionHeartbeatInterval, isOfSession, signal),
        every(heartbeatInterval, (stream) => !isOfSession(stream), signal),
      ]);
      for (const { response } of streams) response.end();
    },
  };
}

const isOfSession = ({ source, isPrivate }: Stream): boolean => isPrivate && isSomebodys(source.current());

function frameOf({ source, isPrivate }: Stream): string {
  const view = source.current();
  const frame = { ...publicFrame(view), ...(isPrivate && privateFields(view)) };
  return `id: ${view.generation}\ndata: ${JSON.stringify(frame)}\n\n`;
}
