/**
 * `POST /t/<id>/commands`: done (204), or refused with an empty answer. Whoever may not say anything is refused before
 * the body is read (reliability.md T02, T03, T28); what was typed goes from the body into `Secret`s, and is kept nowhere.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { blamesTheRequest } from '../domain/listener.ts';
import { createCommandRate } from './command-rate.ts';
import { command } from './commands.ts';
import { pageHeader } from './frame.ts';
import type { KioskTerminal } from './terminal.ts';
import { obey } from './terminal.ts';

export interface CommandRoute {
  readonly path: string;
  readonly terminal: KioskTerminal;
  readonly clock: Clock;
  /** With a pass, and from a page of this listener. */
  isLetIn(request: IncomingMessage): boolean;
  /** Whether the page of this name is the one that shows the terminal. */
  isShown(page: unknown): boolean;
  /** The terminal did what a page said. */
  onObeyed(): void;
}

export function answerCommands(app: FastifyInstance, route: CommandRoute): void {
  const { path, terminal, clock } = route;
  const isWithinRate = createCommandRate({ clock });
  // Where another page has taken over, what this one answers is not shown any more (D2).
  const isShown = ({ headers }: FastifyRequest): boolean => route.isShown(headers[pageHeader]);

  app.post(path, {
    async onRequest(request, reply) {
      if (!route.isLetIn(request.raw)) return reply.code(403).send();
      if (!isWithinRate()) return reply.code(429).send();
      return isShown(request) ? undefined : reply.code(409).send();
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
      // Another page may have come while the body did.
      if (!isShown(request) || !obey(terminal, data)) return reply.code(409).send();
      route.onObeyed();
      return reply.code(204).send();
    },
  });
}
