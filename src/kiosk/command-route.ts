/**
 * `POST /t/<id>/commands`: done (204), or refused with an empty answer. Whoever may not say anything is refused before
 * the body is read (reliability.md T02, T03, T28); what was typed goes from the body into `Secret`s, and is kept nowhere.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { blamesTheRequest } from '../domain/listener.ts';
import { createCommandRate } from './command-rate.ts';
import { command } from './commands.ts';
import type { Passes } from './passes.ts';
import type { Presence } from './presence.ts';
import type { KioskTerminal } from './terminal.ts';
import { obey } from './terminal.ts';

export interface CommandRoute {
  readonly path: string;
  readonly terminal: KioskTerminal;
  readonly presence: Presence;
  readonly passes: Passes;
  readonly clock: Clock;
  isFromOwnPage(request: IncomingMessage): boolean;
}

export function answerCommands(app: FastifyInstance, route: CommandRoute): void {
  const { path, terminal, presence, passes, clock } = route;
  const isWithinRate = createCommandRate({ clock });

  app.post(path, {
    async onRequest(request, reply) {
      const isLetIn = route.isFromOwnPage(request.raw) && passes.pageOf(request.headers.cookie) !== undefined;
      if (!isLetIn) return reply.code(403).send();
      return isWithinRate() ? undefined : reply.code(429).send();
    },
    errorHandler(error: FastifyError, _request, reply) {
      // Not JSON (400, 415), or too long (413).
      if (!blamesTheRequest(error)) throw error;
      void reply.code(error.statusCode ?? 400).send();
    },
    handler(request, reply) {
      const { success, data } = command.safeParse(request.body);
      request.body = undefined;
      if (!success) return reply.code(400).send();
      if (!obey(terminal, data)) return reply.code(409).send();
      const page = passes.pageOf(request.headers.cookie);
      if (page !== undefined) presence.obeyed(page);
      return reply.code(204).send();
    },
  });
}
