/**
 * The ports HistoryRecords and PortHistory: `GET /documents/history`. It shows whether a record arrived although its
 * answer was lost, and whether there are records that this agent does not know (spec, Documents; INVARIANTS.md B.4).
 * Needs the permission ViewReport, and a customer's account.
 */
import { z } from 'zod';
import { isoInstant, parseInstant } from '../../core/clock.ts';
import { hours, minutes } from '../../core/duration.ts';
import type { HistoryRecord } from '../../domain/history.ts';
import { plainTitle } from '../../domain/history.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { HistoryRecords, PortHistory } from '../../domain/ports/service.ts';
import { knownTimeNow } from '../../domain/service-time.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs } from '../http/caller.ts';
import type { FormField } from '../http/form.ts';
import { query } from '../http/form.ts';
import { optionalInt, optionalText } from '../http/optional-fields.ts';
import { entriesOf } from '../http/pages.ts';
import { answerLimits } from '../http/transport.ts';

const path = '/api/v1/documents/history';
/** The service's own limits: records of a page, and days of a question. */
const mostOnPage = 2000;
const longestRange = hours(7 * 24);
/** The end has to be in the future, by the service's clock as well. */
const aheadOfNow = hours(1);
const patience = minutes(5);

/** Milliseconds since 1970, from the number of the sample or an ISO text. */
const instant = z
  .union([z.number(), z.string().transform(parseInstant)])
  .optional()
  .catch(undefined);

const historyEntry = z.object({
  userName: z.string(),
  documentName: z.string(),
  dateTime: instant,
  totalPages: optionalInt,
  providerId: optionalInt,
  outputPortId: optionalInt,
  jobType: optionalText,
});
type HistoryEntry = z.infer<typeof historyEntry>;

export function createHistoryRecords(deps: ResourceDeps): HistoryRecords & PortHistory {
  const { clock, serviceTime } = deps;

  const entriesFor = (fields: readonly FormField[], options: CallerOptions) => {
    const within = { ...options, signal: clock.deadline(patience, options.signal) };
    return entriesOf((pageToken) => {
      // With a token it is the only parameter.
      const asked = pageToken === undefined ? fields : [['pagetoken', pageToken] as const];
      const call = { method: 'GET', path: path + query(asked), shownPath: path } as const;
      return askAs(deps, { ...call, largestAnswer: answerLimits.list }, within);
    });
  };

  return {
    async count(record, outputPortId, options) {
      const then = parseInstant(record.dateTime);
      if (then === undefined) return 0;
      const start = then - minutes(1);
      const end = knownTimeNow(clock, serviceTime) + aheadOfNow;
      if (end - start > longestRange || start >= end) return 0;
      const entries = entriesFor(
        [
          ['maxrecords', mostOnPage],
          ['datestart', isoInstant(start)],
          ['dateend', isoInstant(end)],
          ['username', record.userName],
          ['jobtype', record.jobType],
        ],
        options,
      );
      let found = 0;
      for await (const entry of entries) {
        const { data } = historyEntry.safeParse(entry);
        if (data?.outputPortId === outputPortId && isSame(data, record, then)) found += 1;
      }
      return found;
    },

    async youngest({ id, name }, { from, to }, options) {
      const now = knownTimeNow(clock, serviceTime);
      // Records carry the service's time if ours is known to be wrong.
      const ahead = now - clock.now();
      const start = Math.max(from + ahead, now + aheadOfNow - longestRange + minutes(1));
      const entries = entriesFor(
        [
          ['maxrecords', mostOnPage],
          ['datestart', isoInstant(start)],
          ['dateend', isoInstant(now + aheadOfNow)],
          ['portname', name],
          ['jobtype', 'PRINT'],
        ],
        options,
      );
      let youngest: number | undefined;
      for await (const entry of entries) {
        const { data } = historyEntry.safeParse(entry);
        const at = data?.outputPortId === id ? (data.dateTime ?? from) - ahead : from;
        if (at > from && at < to && at > (youngest ?? from)) youngest = at;
      }
      return youngest;
    },
  };
}

function isSame(entry: HistoryEntry, record: HistoryRecord, then: number): boolean {
  return (
    entry.userName === record.userName &&
    (entry.providerId ?? record.providerId) === record.providerId &&
    (entry.jobType ?? record.jobType) === record.jobType &&
    isTitleOf(entry.documentName, record) &&
    entry.dateTime !== undefined &&
    toSecond(entry.dateTime) === toSecond(then) &&
    (entry.totalPages ?? 0) === (record.totalPages ?? 0)
  );
}

/** If a service refuses some titles, it got the title as a screen shows it. */
const isTitleOf = (documentName: string, { title }: HistoryRecord): boolean =>
  documentName === title || documentName === plainTitle(title);

const toSecond = (wall: number): number => Math.floor(wall / 1000);
