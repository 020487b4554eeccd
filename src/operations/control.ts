/**
 * The agent's control socket: the command line's calls to the running agent, because only the agent writes
 * (INVARIANTS.md D13). HTTP on a unix socket of mode 0600 in a directory of mode 0700: for the agent's user and root.
 * Commands call it through `commands/control-call.ts`; the limits are those of INVARIANTS.md T28.
 */
import { once } from 'node:events';
import { chmodSync, closeSync, constants, openSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import type { FastifyError, FastifyInstance } from 'fastify';
import { fastify } from 'fastify';
import { z } from 'zod';
import type { Duration } from '../core/duration.ts';
import { minutes } from '../core/duration.ts';
import type { LogLevel } from '../core/log-levels.ts';
import type { Log } from '../core/log.ts';
import { blamesTheRequest, listenerLimits, mostConnections } from '../listener/address.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { AdministratorAction } from '../domain/terminal/timeline.ts';
import { administratorActions } from '../domain/terminal/timeline.ts';
import { callerIn, socketAddress } from './control-address.ts';
import type { GuestActions } from './guest-calls.ts';
import { serveGuests } from './guest-calls.ts';
import type { OperationsPages } from './pages.ts';
import type { Deeds } from './ui/deeds.ts';
import { administratorsWord } from './ui/deeds.ts';
import { servePages } from './pages.ts';

export interface ControlActions {
  /**
   * Puts dead letters (all, or of this release) back in line and wakes the courier; gives their number. Throws a
   * `Problem` if there are none.
   */
  retryOutbox(releaseId?: string, by?: number): number;
  /** Settles releases that ended as unknown by an administrator's word, by their whole ids. */
  settle: Deeds['settle'];
  /** Reads the configuration again; resolves with the result. */
  reload(by?: number): Promise<object>;
  recentLog(): readonly string[];
  /**
   * Logs from this level up for so long, then from the configured one again; a span of 0 means the configured one at
   * once.
   */
  logLevel(level: LogLevel, span: Duration, by?: number): void;
  /** Logs a deed of a command outside of the agent. */
  administered(deed: { action: AdministratorAction; changed: readonly string[]; by?: number }): void;
}

const retry = z.strictObject({ releaseId: z.string().min(1).max(64).optional() }).prefault({});
/** INVARIANTS.md T20: such a window closes by itself within 15 minutes. */
const level = z.strictObject({
  level: z.enum(['debug', 'trace']),
  minutes: z.number().min(0).max(15),
});

const deed = z.strictObject({
  action: z.enum(administratorActions),
  changed: z.array(z.string().max(200)).max(500),
});

interface ControlDeps {
  readonly stateDir: string;
  readonly actions: ControlActions;
  readonly guests: GuestActions;
  readonly pages: OperationsPages;
  readonly log: Log;
}

export async function startControl(deps: ControlDeps): Promise<AsyncDisposable> {
  const app = controlServer(deps);
  await app.ready();
  const { stateDir, log } = deps;
  const close = () => app.close();
  return openOwnSocket({ stateDir, server: app.server, close, log });
}

function controlServer({ actions, guests, pages, log }: ControlDeps): FastifyInstance {
  const app = fastify(listenerLimits);
  app.server.maxConnections = mostConnections;

  servePages(app, pages);
  serveGuests(app, guests);
  app.post('/outbox/retry', async ({ body, headers }) => ({
    retried: actions.retryOutbox(retry.parse(body ?? {}).releaseId, callerIn(headers)),
  }));
  app.post('/unsettled', ({ body, headers }) => {
    const { releaseIds, word } = administratorsWord.parse(body);
    const by = callerIn(headers);
    return actions.settle(releaseIds, word, by === undefined ? {} : { by });
  });
  app.post('/reload', ({ headers }) => actions.reload(callerIn(headers)));
  app.get('/log', async () => ({ lines: actions.recentLog() }));
  app.post('/log-level', async ({ body, headers }) => {
    const wanted = level.parse(body);
    actions.logLevel(wanted.level, minutes(wanted.minutes), callerIn(headers));
    return {};
  });
  app.post('/administration', async ({ body, headers }) => {
    const by = callerIn(headers);
    actions.administered({ ...deed.parse(body), ...(by === undefined ? {} : { by }) });
    return {};
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ detail: 'this agent does not know this call' }),
  );
  app.setErrorHandler((error: FastifyError, { url }, reply) => {
    if (isProblem(error)) return reply.code(409).send({ detail: `${error.message}. ${error.advice}` });
    if (error instanceof z.ZodError || blamesTheRequest(error)) {
      return reply.code(400).send({ detail: 'this agent does not understand the call' });
    }
    log.error('control request failed', { url, error });
    return reply.code(500).send({ detail: 'the agent failed. Its log says why' });
  });
  return app;
}

/**
 * Opens the agent's control socket in its state directory, of mode 0600: for its user and root. The caller holds the
 * instance lock, so a socket that is there belongs to a dead agent. If none can be made (a file system without sockets,
 * a full disk) the agent works without it; the log tells it.
 */
async function openOwnSocket(options: {
  readonly stateDir: string;
  readonly server: Server;
  /** Ends the server, which unlinks its socket by the address. */
  close(): Promise<unknown>;
  readonly log: Log;
}): Promise<AsyncDisposable> {
  const { stateDir, server, log } = options;
  await using opened = new AsyncDisposableStack();
  try {
    const { path } = opened.use(socketAddress(stateDir));
    opened.defer(async () => void (await options.close()));
    const isFile = process.platform !== 'win32';
    if (isFile) rmSync(path, { force: true });
    server.listen(path);
    await once(server, 'listening');
    if (process.platform === 'linux') closeToOthers(path);
    else if (isFile) chmodSync(path, 0o600);
  } catch (error) {
    log.warn('control socket not opened', { error: error as Error });
  }
  return opened.move();
}

/** Changes the socket itself: chmod(2) would follow a link in its place. */
function closeToOthers(path: string): void {
  const socket = openSync(path, pathOnly | constants.O_NOFOLLOW);
  try {
    chmodSync(`/proc/self/fd/${socket}`, 0o600);
  } finally {
    closeSync(socket);
  }
}

/** O_PATH of open(2), for which Node has no name: a socket cannot be opened in another way. */
const pathOnly = 0o10000000;
