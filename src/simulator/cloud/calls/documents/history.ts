/**
 * The job history of the simulated cloud: `POST` and `GET /documents/history` (spec, Documents), and the service's
 * own releases. Recorded jobs are listed by time, in pages.
 */
import { z } from 'zod';
import { isoInstant, parseInstant } from '../../../../core/clock.ts';
import { hours } from '../../../../core/duration.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, empty, errorAnswer, errorCode, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { accountAskedFor, portBySerial } from '../../context.ts';
import { grown } from '../../kept-lists.ts';
import { followPages, pageOf } from '../../paging.ts';
import {
  formBoolean,
  formDateTime,
  formInstant,
  formInteger,
  formIntegers,
  formText,
  isRealTime,
  readForm,
  readQuery,
} from '../../parameters.ts';
import type { CloudDocument, CloudState, CloudUser, HistoryEntry, OutputPortInfo } from '../../state.ts';
import { documentStatus } from '../../state.ts';
import { idsBelow } from '../account/account.ts';
import { chargeFor } from '../balance/balance.ts';

const aboutRecords = 'spec, POST /documents/history';
const largest = 2 ** 31 - 1;

const historyForm = z
  .strictObject({
    jobtype: z.enum(['PRINT', 'COPY', 'SCAN', 'FAX']),
    totalpages: formInteger(0, largest).optional(),
    colorpages: formInteger(0, largest).optional(),
    papersize: formText.optional(),
    title: z.string().optional(),
    serialnumber: formText.optional(),
    address: formText.optional(),
    duplex: formBoolean.optional(),
    username: formText.optional(),
    providerid: formInteger(0, largest).optional(),
    datetime: formDateTime.optional(),
  })
  .refine(
    ({ totalpages, colorpages }) => (colorpages ?? 0) <= (totalpages ?? largest),
    'colorpages above totalpages',
  );
type HistoryForm = z.infer<typeof historyForm>;

export function recordJob(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: historyForm, section: aboutRecords });
  const { state, clock, chance } = context;
  const owner = ownerOf(context, call, form);
  const { user } = owner;
  const port =
    portBySerial(state, form.serialnumber) ?? state.outputPorts.find((one) => one.address === form.address);
  for (const mistake of mistakesIn(form, owner, port)) {
    if (context.settings.wrongRecords === 'refused') throw wrong(mistake);
    context.note(call, mistake, aboutRecords);
  }
  state.history = grown(state.history, {
    uuid: chance.uuid(),
    at: clock.now(),
    jobType: form.jobtype,
    userName: owner.userName,
    providerId: owner.providerId,
    title: form.title,
    totalPages: form.totalpages,
    colorPages: form.colorpages,
    paperSize: form.papersize,
    // true = LONG, otherwise SHORT (spec, POST /documents/history).
    duplex: form.duplex ? 1 : 2,
    serialNumber: form.serialnumber,
    address: form.address,
    outputPortId: port?.id,
    dateTime: form.datetime,
    recordedWith: call.caller.kind === 'user' ? 'user' : 'device',
  });

  if (user) {
    chargeFor(context, user, {
      totalPages: form.totalpages ?? 0,
      colorPages: form.colorpages ?? 0,
      paperSize: form.papersize ?? '',
      copies: 1,
      title: form.title ?? '',
    });
  }
  const pages = form.totalpages ?? 'unknown';
  context.tell(
    `history: ${owner.userName}, “${form.title ?? ''}”, pages: ${pages}, at ${port?.name ?? 'no known port'}`,
  );
  return empty(200);
}

/** Mistakes that the schema of the form cannot find. */
function mistakesIn(
  { datetime, serialnumber, address, username, providerid }: HistoryForm,
  { user, ...owner }: Owner,
  port: OutputPortInfo | undefined,
): readonly string[] {
  const isNowhere = (serialnumber ?? address) !== undefined && !port;
  const isAnother =
    (username ?? owner.userName) !== owner.userName || (providerid ?? owner.providerId) !== owner.providerId;
  return [
    ...(datetime === undefined || isRealTime(datetime) ? [] : ['datetime: no such day or time']),
    ...(isNowhere ? ['serialnumber and address name no output port'] : []),
    ...(user ? [] : ['no user has this username and providerid']),
    ...(isAnother ? ['username and providerid are not those of the token'] : []),
  ];
}

const wrong = (what: string): Deviation => new Deviation(what, aboutRecords, errorAnswer(400));

/** Settings of a release that replace those of the document. */
export interface ReleaseWishes {
  readonly copies?: number | undefined;
  readonly grayscale?: boolean | undefined;
  /** 0 simplex, 1 long edge, 2 short edge. */
  readonly duplex?: number | undefined;
}

/** The service records its own release (src/cloud/README.md 7), so a record from a terminal would count twice. */
export function recordRelease(
  context: CloudContext,
  { owner, providerId, info }: CloudDocument,
  { port, wishes = {} }: Readonly<{ port?: OutputPortInfo; wishes?: ReleaseWishes }>,
): void {
  const { state, clock, settings } = context;
  const { copies = info.copies, grayscale = info.grayscale, duplex = info.duplex } = wishes;
  const { uuid, totalPages, paperSize, documentName: title } = info;
  const colorPages = grayscale ? 0 : info.colorPages;
  state.history = grown(state.history, {
    uuid,
    at: clock.now(),
    jobType: info.jobType,
    userName: owner,
    providerId,
    title,
    totalPages: totalPages * copies,
    colorPages: colorPages * copies,
    paperSize,
    duplex,
    serialNumber: port?.deviceSerial,
    address: port?.address,
    outputPortId: port?.id,
    dateTime: undefined,
    recordedWith: 'service',
  });
  const user = state.users.find((one) => one.userName === owner && one.providerId === providerId);
  if (!user || settings.charging !== 'releases') return;
  chargeFor(context, user, { totalPages, colorPages, paperSize, copies, title, uuid });
}

/** The owner of the job. */
interface Owner extends Pick<CloudUser, 'userName' | 'providerId'> {
  /** Absent if no user has this name. */
  readonly user: CloudUser | undefined;
}

/** With a user token, the user of the token. With a device token, the user that username and providerid name. */
function ownerOf({ state }: CloudContext, { caller }: Call, { username, providerid }: HistoryForm): Owner {
  if (caller.kind === 'user') {
    const { user } = caller;
    return { user, userName: user.userName, providerId: user.providerId };
  }
  if (username === undefined || providerid === undefined) {
    throw wrong('username and providerid are required with a device token');
  }
  const user = state.users.find((one) => one.userName === username && one.providerId === providerid);
  return { user, userName: username, providerId: providerid };
}

const aboutList = 'spec, GET /documents/history';
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
  const { first, place } = followPages(context, call, aboutList);
  const asked = readQuery(first, { schema: listQuery, section: aboutList, repeatable: ['status'] });
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
    throw new Deviation('dateend is not in the future', aboutList, errorAnswer(400));
  }
  const end = dateend ?? now;
  const start = datestart ?? end - day;
  if (start >= end) throw new Deviation('datestart is not before dateend', aboutList, errorAnswer(400));
  if (end - start > longestRange) throw new Deviation('more than a week', aboutList, errorAnswer(400));
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
