/**
 * `GET /t/<id>/pictures/<name>?generation=…`: the page of a document that the person in front looks at, as PNG. It is for
 * the page that shows the terminal, and for nobody else: with its pass, its name and the generation of its frame, as a
 * command is said (INVARIANTS.md T02, T03; D2, I3). Nothing on the way keeps it (`no-store`); when the person looks away
 * there is nothing under that name any more.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CommandRoute } from './command-route.ts';
import { pageHeader } from '../frame.ts';

interface Asked {
  readonly Params: { readonly id: string; readonly name: string };
  readonly Querystring: { readonly generation?: unknown };
}

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
    // What is shown may be overwritten while the answer is on its way.
    const sent = Buffer.from(png);
    reply.raw.on('close', () => sent.fill(0));
    return reply.type('image/png').send(sent);
  });
}
