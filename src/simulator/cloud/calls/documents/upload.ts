/**
 * `PUT /documents` of the simulated cloud (spec, Documents, upload): multipart/form-data, for a pull or push queue.
 * An office file is converted to a PDF first.
 */
import { z } from 'zod';
import { milliseconds, minutes, shortest } from '../../../../core/duration.ts';
import { samplePdf } from '../../../sample/sample-pdf.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, errorAnswer, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { formBoolean, formInteger, formText, readMultipart } from '../../parameters.ts';
import { waitingDocument } from '../../population.ts';
import type { CloudDocument, CloudUser, DocumentStatus } from '../../state.ts';
import { documentStatus } from '../../state.ts';
import { isNamed } from '../people/users.ts';

const section = 'spec, PUT /documents';
const pageSizes = /^(?:Original|A[3-6]|Letter|Legal|Ledger|Tabloid|\d+(?:\.\d+)?x\d+(?:\.\d+)?)$/;

const uploadForm = z.strictObject({
  providerid: formInteger(0, 2 ** 31 - 1).default(0),
  username: formText,
  portname: formText,
  title: formText,
  copies: formInteger(1, 999).default(1),
  grayscale: formBoolean.default(false),
  duplex: formInteger(0, 2).default(0),
  outputpagesize: z
    .string()
    .regex(pageSizes, 'expected a size of the specification, or WIDTHxHEIGHT')
    .default('Original'),
  pageorientation: formInteger(0, 1).optional(),
  scale: formInteger(1, 100).optional(),
  collate: formBoolean.default(true),
});

export async function uploadDocument(context: CloudContext, call: Call): Promise<Answer> {
  const { fields, data } = await readMultipart(call, { schema: uploadForm, section });
  const { username, portname, title, copies, grayscale, duplex, collate } = fields;
  const user = userOf(context, call, fields);
  const extension = /\.\w+$/.exec(data.name)?.[0].toLowerCase() ?? '';
  if (extension !== '.pdf' && !title.toLowerCase().endsWith(extension)) {
    throw new Deviation(`title does not carry the extension ${extension}`, section, errorAnswer(400));
  }
  const { state } = context;
  const port = state.inputPorts.find((one) => one.name === portname);
  if (!port) throw new Refusal('no such input port', errorAnswer(400));
  const bytes = Buffer.from(await data.arrayBuffer());
  const pages = pagesOf(bytes);
  const info = {
    copies,
    grayscale,
    duplex,
    collate,
    colorPages: grayscale ? 0 : pages,
    status: arrivalStatus[port.portType],
    outputPortName: port.outputPort ?? '',
  };
  const document = waitingDocument(
    { owner: user.userName, providerId: user.providerId, name: title, pages, bytes, info },
    state.users,
    context,
  );
  state.documents.push(document);
  if (isOfficeFile(data.name)) startConversion(context, document, arrivalStatus[port.portType]);
  context.tell(`upload: “${title}” of ${username}, ${bytes.length} bytes, to ${portname}`);
  return json(200, document.info);
}

/** Without a provider, it is the caller, or the first user with this name. */
function userOf(
  { state }: CloudContext,
  { caller }: Call,
  { username, providerid }: { username: string; providerid: number },
): CloudUser {
  const isMeant = (one: CloudUser) => isNamed(one, { username, providerid });
  if (caller.kind === 'user' && !isMeant(caller.user)) {
    throw new Deviation('an upload for another user', section, errorAnswer(403));
  }
  const user = caller.kind === 'user' ? caller.user : state.users.find(isMeant);
  if (!user) throw new Refusal('no such user', errorAnswer(400));
  return user;
}

/** In a pull queue, the document waits. From a push queue, it is printed at once (src/cloud/README.md 7). */
const arrivalStatus = { 0: documentStatus.READY, 1: documentStatus.PRINTED } as const;

/** The pages of a PDF with uncompressed page objects; 1 for anything else. */
const pagesOf = (bytes: Buffer): number =>
  bytes.toString('latin1').match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 1;

const { RECEIVED, AWAITING_CONVERSION, CONVERTING, CONVERSION_FAILED } = documentStatus;
const nextStatus = new Map<DocumentStatus, DocumentStatus>([
  [RECEIVED, AWAITING_CONVERSION],
  [AWAITING_CONVERSION, CONVERTING],
]);

const officeFormat = /\.(?:docx?|xlsx?|pptx?|od[tsp])$/i;
const largestFile = 200 * 2 ** 20;
const longest = minutes(5);

const isOfficeFile = (name: string): boolean => officeFormat.test(name);

/**
 * Converts an office file to a PDF (spec, States and transitions; Limits): RECEIVED, AWAITING_CONVERSION, CONVERTING.
 * `ends` is the status after a successful conversion.
 */
function startConversion(context: CloudContext, document: CloudDocument, ends: DocumentStatus): void {
  document.info = { ...document.info, status: RECEIVED };
  document.conversion = { since: context.clock.now(), ends };
  waitForNext(context, document, document.conversion);
}

/** After a start with a saved state, unfinished conversions continue. */
export function resumeConversions(context: CloudContext): void {
  for (const document of context.state.documents) {
    if (document.conversion) waitForNext(context, document, document.conversion);
  }
}

function waitForNext(
  context: CloudContext,
  document: CloudDocument,
  { since, ends }: NonNullable<CloudDocument['conversion']>,
): void {
  const { state, clock, settings } = context;
  const { status } = document.info;
  const span = shortest(settings.conversionTime, longest);
  const left = shortest(span, milliseconds(since + span - clock.now()));
  context.later(left, () => {
    // A call or a reset may have ended the conversion meanwhile.
    if (!state.documents.includes(document) || document.info.status !== status) return;
    const next = nextStatus.get(status);
    if (next === undefined) return finish(context, document, ends);
    document.info = { ...document.info, status: next };
    // Counted from the time when it was due, so that a large clock move passes several steps at once.
    document.conversion = { since: since + span, ends };
    waitForNext(context, document, document.conversion);
  });
}

/** No office program is used: a sample PDF stands for the converted file. */
function finish({ settings, tell }: CloudContext, document: CloudDocument, ends: DocumentStatus): void {
  const { documentName: title, totalPages: pages } = document.info;
  const isDone = settings.conversionTime <= longest && document.bytes.length <= largestFile;
  if (isDone) document.bytes = samplePdf({ title, pages });
  document.info = { ...document.info, status: isDone ? ends : CONVERSION_FAILED };
  document.conversion = undefined;
  tell(`conversion: “${title}” ${isDone ? 'is a PDF' : 'failed'}`);
}
