/** What the desk is handed for one document of a session. */
import type { Chance } from '../core/chance.ts';
import type { Log } from '../core/log.ts';
import type { Ticket } from '../domain/release.ts';
import type { TraceSoFar } from '../domain/release-trace.ts';
import type { Changes, Session, Wish } from './context.ts';

export interface Wanting {
  readonly session: Session;
  readonly wish: Wish;
  /** In which the document of the wish already is as it was changed. */
  readonly changes: Changes;
}

export function ticketFor(
  { session, wish: { document, again }, changes }: Wanting,
  world: Pick<Ticket, 'terminal' | 'monochrome' | 'sendUsername'> & {
    readonly trace: TraceSoFar;
    readonly chance: Chance;
    readonly log: Log;
  },
): Ticket {
  const { terminal, monochrome, sendUsername, trace, chance, log } = world;
  const { id, providerId, userName } = session.login.user;
  const changed = changes.get(document.uuid);
  const releaseId = chance.uuid().replaceAll('-', '');
  if (again !== undefined) log.info('release repeated', { releaseId, again });
  return {
    ...{ releaseId, terminal, document, monochrome, sendUsername, trace },
    sessionId: session.id,
    user: { id, providerId, userName },
    token: session.login.token,
    ...(changed === undefined ? {} : { changed }),
    ...(again === undefined ? {} : { again }),
  };
}
