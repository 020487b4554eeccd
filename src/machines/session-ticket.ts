/** What the desk is handed for one document of a session. */
import type { Chance } from '../core/chance.ts';
import type { Log } from '../core/log.ts';
import type { Ticket } from '../domain/release.ts';
import type { Session, Wish } from './terminal-setup.ts';

export function ticketFor(
  { session, wish: { document, again } }: { readonly session: Session; readonly wish: Wish },
  world: Pick<Ticket, 'terminal' | 'monochrome' | 'sendUsername'> & {
    readonly chance: Chance;
    readonly log: Log;
  },
): Ticket {
  const { terminal, monochrome, sendUsername, chance, log } = world;
  const { id, providerId, userName } = session.login.user;
  const releaseId = chance.uuid().replaceAll('-', '');
  if (again !== undefined) log.info('release repeated', { releaseId, again });
  return {
    ...{ releaseId, terminal, document, monochrome, sendUsername },
    sessionId: session.id,
    user: { id, providerId, userName },
    token: session.login.token,
    ...(again === undefined ? {} : { again }),
  };
}
