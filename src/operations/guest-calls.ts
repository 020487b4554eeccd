/** The calls of the control socket about guests: let in, list, end. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Secret } from '../core/secret.ts';
import type { Guest } from '../domain/ports/guests.ts';
import { guestLimits } from '../domain/ports/guests.ts';
import { callerIn } from './control-address.ts';

export interface GuestActions {
  make(
    wish: { hours: number; pages?: number | undefined; group?: string | undefined },
    by?: number,
  ): Promise<{ readonly userName: string; readonly shortId: Secret; readonly endsAt: number }>;
  list(): readonly Guest[];
  /** By name, or `all`; gives the names of those who are gone. */
  end(which: string, by?: number): Promise<readonly string[]>;
}

const wish = z.strictObject({
  hours: z.int().min(1).max(guestLimits.hours),
  pages: z.int().min(1).max(guestLimits.pages).optional(),
  group: z.string().min(1).max(200).optional(),
});
const ending = z.strictObject({ guest: z.string().min(1).max(200) });

export function serveGuests(app: FastifyInstance, guests: GuestActions): void {
  app.get('/guests', async () => ({
    guests: guests.list().map(({ userName, endsAt, pages }) => ({ userName, endsAt, pages })),
  }));
  app.post('/guests', async ({ body, headers }) => {
    const { userName, shortId, endsAt } = await guests.make(wish.parse(body), callerIn(headers));
    // The short id is told only here, to callers that may speak with the agent.
    return { userName, shortId: shortId.reveal(), endsAt };
  });
  app.post('/guests/end', async ({ body, headers }) => ({
    ended: await guests.end(ending.parse(body).guest, callerIn(headers)),
  }));
}
