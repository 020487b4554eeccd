/** A running kiosk with one terminal, `lobby`, whose view the test changes, and a raw HTTP caller. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TerminalView } from '../../src/domain/terminal-view.ts';
import type { Kiosk } from '../../src/kiosk/server.ts';
import { startKiosk } from '../../src/kiosk/server.ts';
import type { RecordedLog } from '../support/recorded-log.ts';
import { recordLog } from '../support/recorded-log.ts';
import type { SteeredClock } from '../support/steered-clock.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

export const prompting: TerminalView = {
  generation: 1,
  state: 'prompting',
  sentence: 'Hold your card to the reader.',
  waiting: 0,
};

export interface KioskStage {
  readonly kiosk: Kiosk;
  readonly port: number;
  readonly clock: SteeredClock;
  readonly recorded: RecordedLog;
  readonly show: (view: TerminalView) => void;
  /** How many streams listen to the terminal at the moment. */
  readonly listeners: () => number;
  readonly get: (path: string, init?: RequestInit) => Promise<Response>;
}

export async function openKiosk(listen = { host: '127.0.0.1', port: 0 }): Promise<KioskStage> {
  const clock = createSteeredClock();
  const recorded = recordLog();
  const listeners = new Set<() => void>();
  let view = prompting;
  const lobby = {
    current: () => view,
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const kiosk = await startKiosk({
    listen,
    terminals: new Map([['lobby', lobby]]),
    clock,
    log: recorded.log,
  });
  onTestFinished(() => kiosk[Symbol.asyncDispose]());
  const { port } = kiosk.address;
  return {
    kiosk,
    port,
    clock,
    recorded,
    show(next) {
      view = next;
      for (const listener of listeners) listener();
    },
    listeners: () => listeners.size,
    get: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
  };
}

/** What the server sends back to these bytes until it closes, or begins an event stream. Bytes as Latin-1. */
export async function exchange(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  await once(socket, 'connect');
  socket.write(request, 'latin1');
  let answer = '';
  for await (const part of socket) {
    answer += part;
    if (answer.includes('text/event-stream')) break;
  }
  return answer;
}

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
export const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4);
