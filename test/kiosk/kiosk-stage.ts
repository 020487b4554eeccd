/** A running kiosk with one terminal, `lobby`, that notes what it is told and whose view the test changes; its callers. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { systemChance } from '../../src/core/chance.ts';
import { Secret } from '../../src/core/secret.ts';
import type { KioskSecrets } from '../../src/domain/ports/kiosk.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { pageHeader } from '../../src/kiosk/frame.ts';
import type { Kiosk } from '../../src/kiosk/server/kiosk-server.ts';
import { startKiosk } from '../../src/kiosk/server/kiosk-server.ts';
import type { KioskTerminal, ServedTerminal } from '../../src/kiosk/server/seats.ts';
import type { LookConfig } from '../../src/kiosk/server/kiosk-page.ts';
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

/** Of whatever page the view names. */
export const shownPicture = Buffer.from('a picture of a page');

export interface KioskStage extends AsyncDisposable {
  readonly kiosk: Kiosk;
  /** The one terminal of it; `served` ends it. */
  readonly lobby: ServedTerminal;
  readonly served: Disposable;
  readonly port: number;
  readonly clock: SteeredClock;
  readonly recorded: RecordedLog;
  readonly show: (view: TerminalView) => void;
  /** How many streams listen to the terminal at the moment. */
  readonly listeners: () => number;
  readonly get: (path: string, init?: RequestInit) => Promise<Response>;
  /** Starts a browser with the present launch secret; gives its `Cookie`. */
  readonly launch: () => Promise<string>;
  readonly secrets: KioskSecrets;
  /** The name of the page that shows the terminal; `listen` keeps it. */
  readonly shown: { name: string };
  /** As that page would send it; `headers` are laid over. */
  readonly command: (body: object, headers: Readonly<Record<string, string>>) => Promise<Response>;
  /** What the terminal was told, secrets revealed. */
  readonly told: readonly (readonly [string, object])[];
  /** What the kiosk said of the pages connected. */
  readonly pages: readonly string[];
}

export async function startKioskStage({
  user,
  look = { bigButtons: false },
  ...listen
}: {
  look?: LookConfig;
  host?: string;
  port?: number;
  user?: number;
} = {}): Promise<KioskStage> {
  const clock = createSteeredClock();
  const recorded = recordLog();
  const listeners = new Set<() => void>();
  const told: [string, object][] = [];
  const pages: string[] = [];
  const shown = { name: '' };
  const secrets = heldSecrets();
  let view = prompting;
  const lobby: KioskTerminal = {
    picture: (name) => (view.preview?.picture === name ? shownPicture : undefined),
    view: {
      current: () => view,
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    tell({ type, ...said }) {
      told.push([type, JSON.parse(JSON.stringify(said, revealed)) as object]);
    },
  };
  const kiosk = await startKiosk({
    listen: { host: '127.0.0.1', port: 0, ...listen },
    user,
    look,
    secrets,
    clock,
    chance: systemChance,
    log: recorded.log,
  });
  const place: ServedTerminal = {
    id: 'lobby',
    terminal: lobby,
    onPages(state) {
      pages.push(state);
      // What may be typed is another matter now.
      for (const listener of [...listeners]) listener();
    },
  };
  const served = kiosk.serve(place);
  const { port } = kiosk.address;
  const get: KioskStage['get'] = (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
  return {
    [Symbol.asyncDispose]: () => kiosk[Symbol.asyncDispose](),
    kiosk,
    served,
    lobby: place,
    port,
    clock,
    recorded,
    secrets,
    told,
    pages,
    shown,
    get,
    show(next) {
      view = next;
      for (const listener of [...listeners]) listener();
    },
    listeners: () => listeners.size,
    async launch() {
      const answer = await get(`/t/lobby?launch=${secrets.launch().reveal()}`, { redirect: 'manual' });
      return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    },
    command: (body, headers) =>
      get('/t/lobby/commands', {
        method: 'POST',
        headers: { ...ofThePage, [pageHeader]: shown.name, ...headers },
        body: JSON.stringify(body),
      }),
  };
}

/** What the browser says of a command of the page. */
export const ofThePage = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

/** As the store keeps them, without a disk. */
export function heldSecrets(): KioskSecrets {
  const made = () => new Secret(systemChance.bytes(32).toString('base64url'));
  let launch = made();
  const marks = new Map<string, string>();
  return {
    launch: () => launch,
    spend(terminal, mark) {
      launch = made();
      marks.set(terminal, mark);
    },
    markOf: (terminal) => marks.get(terminal),
  };
}

function revealed(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const raw = this[key];
  return raw instanceof Secret ? raw.reveal() : value;
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
