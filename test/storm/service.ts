/**
 * The service as its operator sees it: how many calls come in each second, and of which kind. It answers what gateways ask
 * of it outside of sessions, in the shapes of the spec, without a socket: below it there is nothing that decides anything.
 */
import { Dispatcher } from 'undici';
import type { Clock } from '../../src/core/clock.ts';

export const kinds = ['report', 'terminal config', 'output ports', 'token', 'version', 'other'] as const;
export type Kind = (typeof kinds)[number];

/** A second of virtual time, and what came in it. */
export type Second = Readonly<Record<Kind, number>>;

export interface CountedService {
  /** Of a gateway in whose list of output ports these are. */
  dispatcherFor(ports: readonly object[]): Dispatcher;
  goAway(): void;
  comeBack(): void;
  /** Of the seconds from then to then, by the clock's monotonic time; one in which nothing came is there too. */
  seconds(from: number, to: number): readonly Second[];
}

export const kindOf = (method: string, path: string): Kind => {
  if (path.includes('/terminalinfo')) return 'report';
  if (path.includes('/terminalconfig')) return 'terminal config';
  if (path.includes('/outputports')) return 'output ports';
  if (path.includes('/oauth/')) return 'token';
  return method === 'GET' && path.endsWith('/version') ? 'version' : 'other';
};

const none: Second = {
  report: 0,
  'terminal config': 0,
  'output ports': 0,
  token: 0,
  version: 0,
  other: 0,
};

export function countCalls(clock: Clock): CountedService {
  const counted = new Map<number, Record<Kind, number>>();
  let isThere = true;
  let grants = 0;

  function note(kind: Kind): void {
    const second = Math.floor(clock.monotonic() / 1000);
    const so = counted.get(second) ?? { ...none };
    so[kind] += 1;
    counted.set(second, so);
  }

  function answerTo(kind: Kind, path: string, ports: readonly object[]): string {
    if (kind === 'output ports') return JSON.stringify(ports);
    if (kind === 'terminal config') return '{"services":{"print":{"enabled":true}}}';
    if (kind === 'version') return '{"version":"1.0"}';
    if (kind === 'report') return '{"errorCode":0}';
    if (path.includes('/account')) return '{"id":1,"name":"Example","accountType":1}';
    if (kind !== 'token') return '[]';
    grants += 1;
    return JSON.stringify({
      token_type: 'Bearer',
      access_token: `access-${grants}`,
      refresh_token: `refresh-${grants}`,
      expires_in: 3600,
    });
  }

  class Counting extends Dispatcher {
    readonly #ports: readonly object[];

    constructor(ports: readonly object[]) {
      super();
      this.#ports = ports;
    }

    override dispatch(
      { method, path }: Dispatcher.DispatchOptions,
      handler: Dispatcher.DispatchHandler,
    ): boolean {
      const kind = kindOf(method, path);
      note(kind);
      const control = { abort: () => {}, pause: () => {}, resume: () => {} };
      const controller = control as unknown as Dispatcher.DispatchController;
      setImmediate(() => {
        if (!isThere) {
          const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
          return handler.onResponseError?.(controller, refused);
        }
        const body = Buffer.from(answerTo(kind, path, this.#ports));
        handler.onRequestStart?.(controller, undefined);
        handler.onResponseStart?.(controller, 200, { 'content-length': String(body.length) });
        handler.onResponseData?.(controller, body);
        handler.onResponseEnd?.(controller, {});
      });
      return true;
    }
    override destroy(): Promise<void> {
      return Promise.resolve();
    }
  }

  return {
    dispatcherFor: (ports) => new Counting(ports),
    goAway() {
      isThere = false;
    },
    comeBack() {
      isThere = true;
    },
    seconds: (from, to) =>
      Array.from(
        { length: Math.floor((to - from) / 1000) },
        (_, index) => counted.get(Math.floor(from / 1000) + index) ?? none,
      ),
  };
}
