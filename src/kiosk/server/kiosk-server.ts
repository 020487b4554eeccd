/**
 * The kiosk's listener (contract, section 4): page, events, commands and pictures of each terminal, and the static
 * files. Anything else is 404. It listens only on loopback. Access is decided in `listener/gate.ts` and `passes.ts`.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../../config/schema/values.ts';
import { createSparingLog } from '../../core/sparing-log.ts';
import type { Env } from '../../domain/env.ts';
import type { KioskSecrets } from '../../domain/ports/kiosk.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { ListenAddress } from '../../listener/address.ts';
import { hostAndPort } from '../../listener/address.ts';
import type { PageFile } from '../../listener/page-files.ts';
import { createListener } from '../../listener/guarded-listener.ts';
import type { CommandRoute } from './terminal-routes.ts';
import { answerCommands, answerPictures } from './terminal-routes.ts';
import type { LookConfig } from './kiosk-page.ts';
import { buildOf, filesOf, page, readStaticFiles } from './kiosk-page.ts';
import type { Passes } from './passes.ts';
import { createPasses } from './passes.ts';
import { createPeerUser } from './peer-user.ts';
import type { Seats, ServedTerminal } from './seats.ts';
import { createSeats } from './seats.ts';
import type { Audience } from './streams.ts';
import { Streams } from './streams.ts';

interface KioskDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly listen: ListenAddress;
  /** The descriptor of the socket that systemd keeps open. */
  readonly kept?: number | undefined;
  /** The uid of the only user who gets answers. Without it, every user gets answers. */
  readonly user?: number | undefined;
  readonly look: LookConfig;
  readonly secrets: KioskSecrets;
}

export interface Kiosk extends AsyncDisposable {
  /** The actual address. If the configured port is 0, the system has chosen the port. */
  readonly address: ListenAddress;
  /** Serves the page of this terminal until the result is disposed. */
  serve(terminal: ServedTerminal): Disposable;
}

/**
 * Rejects `port-taken` if another program uses the address. Rejects `config-invalid` if listening is not permitted or
 * the user cannot be recognised. Disposing ends all streams and connections at once.
 */
export async function startKiosk(deps: KioskDeps): Promise<Kiosk> {
  const { listen, kept, clock, chance, secrets, user } = deps;
  const log = createSparingLog({ log: deps.log, clock });
  if (!isLoopback(listen.host)) {
    throw new Problem('config-invalid', `kiosk.listen: ${hostAndPort(listen)} is not a loopback address`);
  }
  const peers = user === undefined ? undefined : await createPeerUser({ uid: user, log });
  const listener = createListener({
    section: 'kiosk',
    listen,
    kept,
    log,
    most: peers && mostLookedUp,
    async admit({ socket }, response) {
      if (!peers || (await peers.isAt(socket))) return undefined;
      // The user of a connection is looked up once, so a refused caller must use a new connection.
      response.shouldKeepAlive = false;
      return 403;
    },
  });
  const { app } = listener;
  // Requests are overwritten after the parser has read them. A second listener also stops Node from reading into a
  // buffer of its own, where the last request would remain.
  app.server.on('connection', (socket) => socket.on('data', (octets) => octets.fill(0)));

  const files = new Map([...(await readStaticFiles()), ...filesOf(deps.look)]);
  const streams = new Streams({ clock, chance, build: buildOf(files) });
  const seats = createSeats({ clock, streams });
  const passes = createPasses({ secrets, chance, log });
  const place: Place = { listener, seats, streams, passes };
  for (const [path, file] of files) app.get(path, (_request, reply) => sendFile(reply, file));
  app.get<Asked>('/t/:id', (request, reply) => answerPage(request, reply, place));
  app.get<Asked>('/t/:id/events', (request, reply) => answerEvents(request, reply, place));
  const own: Omit<CommandRoute, 'path'> = {
    seatOf: (id) => seats.of(id),
    isLetIn: (request, id) => listener.isFromOwnPage(request) && hasPass(place, id, request),
    isShown: ({ terminal }, name) => streams.isShown(terminal.view, name),
  };
  answerCommands(app, { path: '/t/:id/commands', ...own });
  answerPictures(app, { path: '/t/:id/pictures/:name', ...own });

  const address = await listener.open();
  const stop = new AbortController();
  const heartbeat = streams.run(stop.signal);
  return {
    address,
    serve: (terminal) => seats.serve(terminal),
    async [Symbol.asyncDispose]() {
      // First, so that the lost connections of the pages do not count as failures.
      seats[Symbol.dispose]();
      stop.abort();
      await heartbeat;
      await listener[Symbol.asyncDispose]();
    },
  };
}

interface Asked {
  readonly Params: { readonly id: string };
  readonly Querystring: { readonly launch?: unknown; readonly view?: unknown; readonly aside?: unknown };
}

interface Place {
  readonly listener: ReturnType<typeof createListener>;
  readonly seats: Seats;
  readonly streams: Streams;
  readonly passes: Passes;
}

/** When connections must be closed for lack of room, those with a pass are the last. */
function hasPass({ listener, passes }: Place, id: string, request: IncomingMessage): boolean {
  const isKnown = passes.areIn(id, request.headers.cookie);
  if (isKnown) listener.room.knows(request);
  return isKnown;
}

function answerPage(
  { params, query, raw }: FastifyRequest<Asked>,
  reply: FastifyReply,
  place: Place,
): FastifyReply {
  const { listener, seats, streams, passes } = place;
  const seat = seats.of(params.id);
  if (!seat) return reply.code(404).send();
  const { launch } = query;
  hasPass(place, params.id, raw);
  // A view from a desk must not use up the launch secret.
  if (launch === undefined || isView(query)) return sendFile(reply, page);
  const cookie = typeof launch === 'string' ? passes.launch(params.id, launch) : undefined;
  if (cookie !== undefined) {
    listener.room.knows(raw);
    void reply.header('set-cookie', cookie);
    streams.supersede(seat.terminal.view);
  }
  // Also after a refusal: a kiosk that was started with a used secret still accepts badges.
  return reply.redirect(`/t/${params.id}`, 303);
}

function answerEvents(
  { params, query, raw }: FastifyRequest<Asked>,
  reply: FastifyReply,
  place: Place,
): void {
  const { listener, seats, streams } = place;
  const seat = seats.of(params.id);
  if (!seat) {
    void reply.code(404).send();
    return;
  }
  const isLaunched = hasPass(place, params.id, raw);
  const audience = audienceOf(query, isLaunched);
  reply.hijack();
  // A socket that is already closed would never report its end.
  if (raw.socket.destroyed) return;
  if (audience === 'person') listener.room.stays(reply.raw);
  else listener.room.looksOn(reply.raw, audience === 'passer-by' ? 'passer-by' : 'desk');
  streams.open({
    source: seat.terminal.view,
    response: reply.raw,
    audience,
    onEnd: audience === 'person' ? seat.presence.came() : () => {},
  });
}

/** A view from a desk sends no commands and sees no more than a passer-by, whatever cookie it has. */
const isView = ({ view }: Asked['Querystring']): boolean => view !== undefined;

function audienceOf(query: Asked['Querystring'], isLaunched: boolean): Audience {
  if (isView(query)) return 'desk';
  if (query.aside !== undefined) return 'aside';
  return isLaunched ? 'person' : 'passer-by';
}

/** Finding the user of a connection takes time, so too many callers of other users would delay the page. */
const mostLookedUp = 512;

const sendFile = (reply: FastifyReply, file: PageFile): FastifyReply => reply.type(file.type).send(file.body);
