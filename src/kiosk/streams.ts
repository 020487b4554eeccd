/**
 * The open event streams of the kiosk (server-sent events of the HTML standard, section 9.2): each shows one terminal
 * and gets a frame after every change. A frame holds the fields of `TerminalView` and nothing else (I3).
 */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { BalanceView, TerminalView, TerminalViewSource } from '../domain/terminal-view.ts';

const mostPerTerminal = 8;
const heartbeatInterval = seconds(15);
/** A page that reads so little that so much is waiting is not looking any more. Bytes. */
const mostUnread = 64 * 1024;

interface Stream {
  readonly source: TerminalViewSource;
  readonly response: ServerResponse;
}

export interface Streams {
  /** Answers the request with a stream; the oldest one of the terminal ends where it would be one too many. */
  open(stream: Stream): void;
  /** Keeps the streams alive until the signal aborts, then ends them all. */
  run(signal: AbortSignal): Promise<void>;
}

export function createStreams({ clock }: { clock: Clock }): Streams {
  const streams = new Set<Stream>();

  const send = ({ response }: Stream, text: string): void => {
    if (response.writableLength > mostUnread) response.destroy();
    else response.write(text);
  };

  return {
    open(stream) {
      const { source, response } = stream;
      const ofTerminal = [...streams].filter((one) => one.source === source);
      // The page that was loaded last is the one somebody looks at.
      if (ofTerminal.length >= mostPerTerminal) ofTerminal[0]?.response.end();
      streams.add(stream);
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      const unhook = source.onChange(() => send(stream, frameOf(source.current())));
      response.on('close', () => {
        unhook();
        streams.delete(stream);
      });
      send(stream, frameOf(source.current()));
    },
    async run(signal) {
      while (!signal.aborted) {
        await clock.sleep(heartbeatInterval, { signal }).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
        for (const stream of streams) send(stream, ': still here\n\n');
      }
      for (const { response } of streams) response.end();
    },
  };
}

function frameOf({ generation, state, sentence, waiting, balance }: TerminalView): string {
  const shown = { generation, state, sentence, waiting, ...(balance && { balance: fieldsOf(balance) }) };
  return `data: ${JSON.stringify(shown)}\n\n`;
}

const fieldsOf = ({ balance, cost, fitting, tooDear, costs }: BalanceView): BalanceView => ({
  ...{ balance, cost, fitting, tooDear },
  costs: costs.map((one) => ({ cost: one.cost, fits: one.fits })),
});
