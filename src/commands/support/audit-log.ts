/** The service's audit log of the last day as a support bundle tells it: what was done, and by whom only as a pseudonym. */
import type { AuditEvent } from '../../cloud/administration/audit-logs.ts';
import type { Config } from '../../config/schema/config.ts';
import { systemClock } from '../../core/clock.ts';
import { hours } from '../../core/duration.ts';
import type { Io } from '../io.ts';
import type { UserOptions } from '../service-access.ts';
import { atService, loginAs } from '../service-access.ts';
import type { Pseudonym } from './pseudonyms.ts';

const most = 5000;

export interface AuditedBy {
  /** Who reads it: it takes the permission ViewLog. */
  readonly user: UserOptions;
  readonly pseudonym: Pseudonym;
}

/** A line of JSON for each event. Rejects with what keeps it from being had. */
export function auditText(config: Config, { user, pseudonym }: AuditedBy, io: Io): Promise<string> {
  return atService(config, io, async (cloud) => {
    const token = await loginAs(cloud, user, io);
    const to = systemClock.now();
    const span = { from: to - hours(24), to, most };
    const events = await cloud.directory(token).auditLogs.read(span, { signal: io.stop, token });
    const names = new Set([user.user, ...events.flatMap((event) => event.user?.name ?? [])]);
    return events.map((event) => `${JSON.stringify(shown(event, pseudonym, names))}\n`).join('');
  });
}

/** What is a word and nobody's name: nothing says what else the service may write there. */
function shown(
  { user, errorCode, ...event }: AuditEvent,
  pseudonym: Pseudonym,
  names: ReadonlySet<string>,
): object {
  const words = Object.entries(event).map(([field, value]) => [
    field,
    value === undefined || (isWord.test(value) && !names.has(value)) ? value : '[left out]',
  ]);
  return {
    ...Object.fromEntries(words),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(user === undefined ? {} : { user: pseudonym(user) }),
  };
}

const isWord = /^[\w:.+/-]{1,64}$/;
