/**
 * `GET /t/<id>/pictures/<name>?generation=…`: a page of the previewed document as PNG. Only the page that shows the
 * terminal gets it, with its pass, its name and the generation of its frame, as for a command (INVARIANTS.md T02, T03;
 * D2, I3). It is never cached (`no-store`). When the person ends the preview, the name is invalid.
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
    // The original may be overwritten while the answer is being sent, so a copy is sent.
    const sent = Buffer.from(png);
    reply.raw.on('close', () => sent.fill(0));
    return reply.type('image/png').send(sent);
  });
}
