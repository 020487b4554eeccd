/**
 * The job history of the simulated cloud: `POST /documents/history` (spec, Documents), and the service's own releases.
 */
import { z } from 'zod';
import { chargeFor } from '../balance/balance.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, empty, errorAnswer } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { portBySerial } from '../../context.ts';
import { formBoolean, formDateTime, formInteger, formText, isRealTime, readForm } from '../../parameters.ts';
import type { CloudDocument, CloudUser, OutputPortInfo } from '../../state.ts';
import { grown } from '../../growing.ts';

const section = 'spec, POST /documents/history';
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
  const form = readForm(call, { schema: historyForm, section });
  const { state, clock, chance } = context;
  const owner = ownerOf(context, call, form);
  const { user } = owner;
  const port =
    portBySerial(state, form.serialnumber) ?? state.outputPorts.find((one) => one.address === form.address);
  for (const mistake of mistakesIn(form, owner, port)) {
    if (context.settings.wrongRecords === 'refused') throw wrong(mistake);
    context.note(call, mistake, section);
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

const wrong = (what: string): Deviation => new Deviation(what, section, errorAnswer(400));

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
