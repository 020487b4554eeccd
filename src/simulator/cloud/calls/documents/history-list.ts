/** `GET /documents/history` of the simulated cloud (spec, Documents): recorded jobs by time, in pages. */
import { z } from 'zod';
import { isoInstant, parseInstant } from '../../../../core/clock.ts';
import { hours } from '../../../../core/duration.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, errorAnswer, errorCode, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { accountAskedFor } from '../../context.ts';
import { idsBelow } from '../account/account-tree.ts';
import { followPages, pageOf } from '../../paging.ts';
import { formInstant, formInteger, formIntegers, formText, readQuery } from '../../parameters.ts';
import type { CloudState, HistoryEntry } from '../../state.ts';
import { documentStatus } from '../../state.ts';

const section = 'spec, GET /documents/history';
const day = hours(24);
const longestRange = 7 * day;
const customer = 2;

const listQuery = z.strictObject({
  maxrecords: formInteger(1, 2000).default(200),
  datestart: formInstant.optional(),
  dateend: formInstant.optional(),
  domainname: formText.optional(),
  username: formText.optional(),
  portname: formText.optional(),
  status: formIntegers(0, 9).optional(),
  jobtype: z.enum(['PRINT', 'COPY', 'SCAN', 'FAX']).optional(),
});
type ListQuery = z.infer<typeof listQuery>;

export function listHistory(context: CloudContext, call: Call): Answer {
  const { first, place } = followPages(context, call, section);
  const asked = readQuery(first, { schema: listQuery, section, repeatable: ['status'] });
  const { state } = context;
  const account = accountAskedFor(state, call, asked.domainname);
  if (!account) throw new Refusal('no such account', errorAnswer(400, errorCode.accountNotFound));
  if (account.accountType !== customer) throw new Refusal('no customer account', errorAnswer(400));
  const range = rangeOf(asked, place.at);
  const accounts = [account.id, ...idsBelow(state.accounts, account.id)];
  const found = state.history
    .filter((entry) => accounts.includes(accountIn(state, entry)))
    .map((entry) => ({ entry, info: documentInfo(state, entry) }))
    .filter(({ entry, info }) => isAskedFor(info, entry, { ...asked, ...range }))
    .map(({ info }) => info);
  const { page, ...paging } = pageOf(found, place, asked.maxrecords);
  return json(200, {
    documents: page,
    ...paging,
    dateStart: isoInstant(range.start),
    dateEnd: isoInstant(range.end),
    domainName: asked.domainname ?? '',
    userName: asked.username ?? '',
    portName: asked.portname ?? '',
  });
}

/** The account of the user. For a user who is gone, it is the first account. */
function accountIn({ users, accounts }: CloudState, { userName, providerId }: HistoryEntry): number {
  const user = users.find((one) => one.userName === userName && one.providerId === providerId);
  return user?.accountId ?? accounts[0]?.id ?? 0;
}

/** By default the last 24 hours, at most a week. The end must not be in the past. */
function rangeOf({ datestart, dateend }: ListQuery, now: number): { start: number; end: number } {
  if (dateend !== undefined && dateend <= now) {
    throw new Deviation('dateend is not in the future', section, errorAnswer(400));
  }
  const end = dateend ?? now;
  const start = datestart ?? end - day;
  if (start >= end) throw new Deviation('datestart is not before dateend', section, errorAnswer(400));
  if (end - start > longestRange) throw new Deviation('more than a week', section, errorAnswer(400));
  return { start, end };
}

type Asked = ListQuery & { readonly start: number; readonly end: number };
type HistoryInfo = ReturnType<typeof documentInfo>;

function isAskedFor(info: HistoryInfo, entry: HistoryEntry, asked: Asked): boolean {
  return (
    info.dateTime >= asked.start &&
    info.dateTime <= asked.end &&
    (asked.username === undefined || entry.userName === asked.username) &&
    (asked.portname === undefined || info.outputPortName === asked.portname) &&
    (asked.jobtype === undefined || entry.jobType === asked.jobtype) &&
    (asked.status === undefined || asked.status.includes(info.status))
  );
}

/** DocumentInfo with the fields of the history. A recorded job counts as printed. */
function documentInfo(state: CloudState, entry: HistoryEntry) {
  const port = state.outputPorts.find((one) => one.id === entry.outputPortId);
  return {
    uuid: entry.uuid,
    documentName: entry.title ?? '',
    documentType: 1,
    userName: entry.userName,
    totalPages: entry.totalPages ?? 0,
    colorPages: entry.colorPages ?? 0,
    duplex: entry.duplex,
    copies: 1,
    grayscale: entry.colorPages === 0,
    paperSize: entry.paperSize ?? '',
    dateTime: (entry.dateTime === undefined ? undefined : parseInstant(entry.dateTime)) ?? entry.at,
    storageOnline: true,
    secure: false,
    tags: [],
    collate: true,
    status: documentStatus.PRINTED,
    outputPortId: port?.id ?? 0,
    outputPortName: port?.name ?? '',
    jobType: entry.jobType,
    providerId: entry.providerId,
    scanWorkflowId: 0,
    scanConnectorId: 0,
  };
}
