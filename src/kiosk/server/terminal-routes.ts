/**
 * The routes of the page that shows a terminal: its commands and its pictures. The answer to `POST /t/<id>/commands`
 * is empty: 204 if the command was done, otherwise a refusal. A caller without permission is refused before its body
 * is read (INVARIANTS.md T02, T03, T28). Typed text goes from the body into `Secret`s and is not kept elsewhere.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { blamesTheRequest } from '../../listener/address.ts';
import { wordIn } from '../commands.ts';
import { pageHeader } from '../frame.ts';
import type { Seat } from './seats.ts';
import { obey } from './seats.ts';

export interface CommandRoute {
  /** Contains the parameter `:id`. */
  readonly path: string;
  seatOf(id: string): Seat | undefined;
  /** Whether the request has a pass for this terminal and comes from a page of this listener. */
  isLetIn(request: IncomingMessage, id: string): boolean;
  /** Whether the page of this name is the one that shows the terminal. */
  isShown(seat: Seat, page: unknown): boolean;
}

export function answerCommands(app: FastifyInstance, route: CommandRoute): void {
  const idOf = ({ params }: FastifyRequest) => (params as { readonly id: string }).id;
  const seatOf = (request: FastifyRequest) => route.seatOf(idOf(request));
  // After another page has taken over, the frame that this page answers is no longer shown (D2).
  const isShown = (seat: Seat, { headers }: FastifyRequest): boolean =>
    route.isShown(seat, headers[pageHeader]);

  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseOnce);
  app.post(route.path, {
    async onRequest(request, reply) {
      const seat = seatOf(request);
      if (!seat) return reply.code(404).send();
      if (!route.isLetIn(request.raw, idOf(request))) return reply.code(403).send();
      if (!seat.isWithinRate()) return reply.code(429).send();
      return isShown(seat, request) ? undefined : reply.code(409).send();
    },
    errorHandler(error: FastifyError, _request, reply) {
      // The body is not JSON (400, 415) or too long (413).
      if (!blamesTheRequest(error)) throw error;
      void reply.code(error.statusCode ?? 400).send();
    },
    handler(request, reply) {
      const word = wordIn(request.body);
      request.body = undefined;
      if (!word) return reply.code(400).send();
      const seat = seatOf(request);
      // Another page or terminal may have come while the body was read.
      if (!seat || !isShown(seat, request) || !obey(seat.terminal, word)) return reply.code(409).send();
      seat.presence.obeyed();
      return reply.code(204).send();
    },
  });
}

/** The body is parsed from its own octets, which are then overwritten, because it may contain a typed secret. */
async function parseOnce(_request: FastifyRequest, octets: Buffer): Promise<unknown> {
  try {
    return JSON.parse(octets.toString());
  } catch {
    // The parser's own error would quote the body.
    throw Object.assign(new Error('the body is not JSON'), { statusCode: 400 });
  } finally {
    octets.fill(0);
  }
}

interface Asked {
  readonly Params: { readonly id: string; readonly name: string };
  readonly Querystring: { readonly generation?: unknown };
}

/**
 * `GET /t/<id>/pictures/<name>?generation=…`: a page of the previewed document as PNG. Only the page that shows the
 * terminal gets it, with its pass, its name and the generation of its frame, as for a command (INVARIANTS.md T02,
 * T03; D2, I3). It is never cached (`no-store`). When the person ends the preview, the name is invalid.
 */
export function answerPictures(app: FastifyInstance, route: CommandRoute): void {
  app.get<Asked>(route.path, async (request: FastifyRequest<Asked>, reply) => {
    const { params, query, headers, raw } = request;
    const seat = route.seatOf(params.id);
    if (!seat) return reply.code(404).send();
    if (!route.isLetIn(raw, params.id)) return reply.code(403).send();
    if (!seat.isWithinRate()) return reply.code(429).send();
    const { terminal } = seat;
    const isNow = query.generation === String(terminal.view.current().generation);
    const png = isNow && route.isShown(seat, headers[pageHeader]) && terminal.picture(params.name);
    if (!png) return reply.code(409).send();
    // The original may be overwritten while the answer is being sent, so a copy is sent.
    const sent = Buffer.from(png);
    reply.raw.on('close', () => sent.fill(0));
    return reply.type('image/png').send(sent);
  });
}
