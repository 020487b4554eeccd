/** The port HistoryRecords over the wire: spec, GET /documents/history. */
import { describe, expect, it } from 'vitest';
import { createHistoryRecords } from '../../../src/cloud/resources/history-records.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { HistoryRecord } from '../../../src/domain/history.ts';
import { asking, problemOf } from '../../support/cloud/cloud-under-test.ts';
import { answerJson } from '../../support/cloud/scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const clock = { ...systemClock, now: () => Date.parse('2026-11-22T08:00:00Z') };
const record: HistoryRecord = {
  jobType: 'PRINT',
  userName: 'ann',
  providerId: 4,
  title: 'Report.pdf',
  totalPages: 6,
  serialNumber: 'SN-1',
  dateTime: '2026-11-21T13:00:00+01:00',
};
const entry = {
  uuid: 'a-1',
  userName: 'ann',
  documentName: 'Report.pdf',
  totalPages: 6,
  dateTime: Date.parse('2026-11-21T12:00:00.700Z'),
  jobType: 'PRINT',
  providerId: 4,
  outputPortId: 7,
};
const pageOf = (...documents: readonly object[]) => ({
  documents,
  recordsOnPage: documents.length,
  dateStart: '',
  dateEnd: '',
});

describe('a history record', () => {
  it('is looked for among those of its user since its minute', async () => {
    await using under = await resourceWith(answerJson(pageOf(entry)), { clock });
    expect(await createHistoryRecords(under.parts).count(record, 7, asUser)).toBe(1);
    expect(requestsOf(under)).toEqual([
      'GET /api/v1/documents/history?maxrecords=2000&datestart=2026-11-21T11%3A59%3A00.000Z' +
        '&dateend=2026-11-22T09%3A00%3A00.000Z&username=ann&jobtype=PRINT',
    ]);
  });

  it.each<[string, object, boolean]>([
    ['with its time as ISO text', { dateTime: '2026-11-21T12:00:00Z' }, true],
    ['without provider and kind', { providerId: undefined, jobType: null }, true],
    ['of another user', { userName: 'Ann' }, false],
    ['of another provider', { providerId: 5 }, false],
    ['of another title', { documentName: 'Report (2).pdf' }, false],
    ['a second later', { dateTime: Date.parse('2026-11-21T12:00:01Z') }, false],
    ['without time', { dateTime: null }, false],
    ['with more pages', { totalPages: 12 }, false],
    ['without pages', { totalPages: undefined }, false],
    ['of another kind', { jobType: 'COPY' }, false],
    ["at another gateway's output port", { outputPortId: 8 }, false],
    ['at no output port', { outputPortId: 0 }, false],
    ['of which the port is not told', { outputPortId: null }, false],
    ['without a name', { documentName: undefined }, false],
  ])('%s: %j is the same one: %j', async (_, difference, expected) => {
    await using under = await resourceWith(answerJson(pageOf({ ...entry, ...difference })), { clock });
    expect(await createHistoryRecords(under.parts).count(record, 7, asUser)).toBe(expected ? 1 : 0);
  });

  it('of unknown pages is the one without pages, or with none', async () => {
    const { totalPages: _, ...blank } = record;
    await using under = await resourceWith(answerJson(pageOf({ ...entry, totalPages: 0 })), { clock });
    expect(await createHistoryRecords(under.parts).count(blank, 7, asUser)).toBe(1);
    under.server.reply = answerJson(pageOf(entry));
    expect(await createHistoryRecords(under.parts).count(blank, 7, asUser)).toBe(0);
  });

  it('is counted page by page, by the token alone', async () => {
    await using under = await resourceWith(
      (response, asked, count) => {
        const more = count < 3 ? { nextPageToken: `t+${count}` } : {};
        answerJson({ ...pageOf({ ...entry, totalPages: count }, entry), ...more })(response, asked, count);
      },
      { clock },
    );
    expect(await createHistoryRecords(under.parts).count(record, 7, asUser)).toBe(3);
    expect(requestsOf(under).slice(1)).toEqual([
      'GET /api/v1/documents/history?pagetoken=t%2B1',
      'GET /api/v1/documents/history?pagetoken=t%2B2',
    ]);
  });

  it.each([
    ['older than the week the service looks back', '2026-11-15T08:00:00+00:00'],
    ['of a time to come', '2026-11-22T10:00:00+00:00'],
    ['without a proper time', 'yesterday'],
  ])('%s is not asked for, and not known to be there', async (_, dateTime) => {
    await using under = await resourceWith(answerJson(pageOf(entry)), { clock });
    expect(await createHistoryRecords(under.parts).count({ ...record, dateTime }, 7, asUser)).toBe(0);
    expect(under.server.asked).toEqual([]);
  });

  it('is not there because the answer makes no sense, and no message names the user (I5)', async () => {
    await using under = await resourceWith(answerJson({ records: [entry] }), { clock });
    const problem = await problemOf(createHistoryRecords(under.parts).count(record, 7, asking));
    expect(problem.code).toBe('cloud-protocol');
    expect(problem.message).not.toContain('ann');
  });

  const count = (parts: Parameters<typeof createHistoryRecords>[0], options: typeof asUser) =>
    createHistoryRecords({ ...parts, clock }).count(record, 7, options);
  itGoesWithEitherToken(count, answerJson(pageOf()));
  itRejectsRefusals(count);
});
