/** `platen outbox list|retry|export`: the history records that the service has not accepted yet. */
import { extname } from 'node:path';
import { z } from 'zod';
import { counted } from '../../core/text/counted.ts';
import type { WaitingRecord } from '../../domain/ports/ledger.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { shortReleaseId } from '../../domain/release.ts';
import { putBackWithoutAgent, waitingRecords } from '../../store/outbox/outbox-register.ts';
import { booksPlace, statePlace } from '../config-part.ts';
import { callControl } from '../control-call.ts';
import { noteAlone, noteDeed } from '../deed.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import type { NewFile } from '../new-file.ts';
import { idIn } from '../../domain/terminal/screen-code.ts';
import { table } from '../terminal-text/table.ts';

interface Options {
  readonly config: string;
  readonly json?: boolean;
}

/** Without users and titles; only the export has them. */
export async function listOutbox({ config, json }: Options, io: Io): Promise<number> {
  const records = waitingRecords(booksPlace(config, io).stateDir);
  if (json) {
    const shown = records.map(({ record, ...rest }) => ({ ...rest, printedAt: record.dateTime }));
    io.out(JSON.stringify(shown, undefined, 2));
  } else io.out(records.length === 0 ? 'no record waits' : table([heading, ...records.map(cells)]));
  return exitCode.ok;
}

const heading = ['RELEASE', 'TERMINAL', 'PRINTED', 'DUE', 'FAILED', 'STATE', 'REASON'];

const cells = (waiting: WaitingRecord): string[] => [
  shortReleaseId(waiting.releaseId),
  waiting.terminal,
  waiting.record.dateTime,
  waiting.dueAt,
  String(waiting.failures),
  waiting.state.replace('-', ' '),
  waiting.reason ?? '-',
];

const retried = z.object({ retried: z.number() });

/**
 * The running agent does it, because only it writes. Without an agent the command writes itself, and the next start
 * sends the records.
 */
export async function retryOutbox({ config: file, id }: Options & { id?: string }, io: Io): Promise<number> {
  const config = statePlace(file, io);
  const releaseId = id && (idIn(id) || id);
  const answer = await callControl(config, io, {
    method: 'POST',
    path: '/outbox/retry',
    body: releaseId === undefined ? {} : { releaseId },
  });
  const count =
    answer === undefined ? await retryAlone(config.stateDir, releaseId) : retried.parse(answer).retried;
  if (answer === undefined)
    noteAlone(config, io, { what: 'dead letters retried', facts: { records: count } });
  const when = answer === undefined ? ' when the agent runs' : '';
  io.out(
    count === 0
      ? 'There are no dead letters.'
      : `${counted(count, 'dead letter')} will be sent again${when}.`,
  );
  return exitCode.ok;
}

async function retryAlone(stateDir: string, releaseId: string | undefined): Promise<number> {
  try {
    return await putBackWithoutAgent(stateDir, releaseId);
  } catch (error) {
    if (!isProblem(error, 'already-running', 'dead-letter-unknown')) throw error;
    throw new CommandFailed(`${error.message}. ${error.advice}`, { cause: error });
  }
}

/** All fields that a person needs to enter the records by hand. */
export async function exportOutbox(
  { config, file: given }: Options & { file: NewFile },
  io: Io,
): Promise<number> {
  using file = given;
  refuseOld(file);
  const { stateDir } = booksPlace(config, io);
  const records = waitingRecords(stateDir);
  file.write(exportText(records, file.path));
  await noteDeed({ stateDir }, io, { action: 'outbox export', changed: [counted(records.length, 'record')] });
  const dead = records.filter(({ state }) => state === 'dead-letter').length;
  io.out(
    `${counted(records.length, 'record')} written to ${file.path}, including ${counted(dead, 'dead letter')}. ` +
      'The file contains names of users and documents',
  );
  return exitCode.ok;
}

/**
 * History records for an accountant, with the fields of `POST /documents/history` (spec, Documents): a spreadsheet if
 * the name of the file ends in .csv (RFC 4180), otherwise JSON Lines.
 */
const fieldsOf = ({ record, ...waiting }: WaitingRecord) => ({
  releaseid: waiting.releaseId,
  terminal: waiting.terminal,
  state: waiting.state,
  reason: waiting.reason,
  due: waiting.dueAt,
  jobtype: record.jobType,
  username: record.userName,
  providerid: record.providerId,
  title: record.title,
  totalpages: record.totalPages,
  colorpages: record.colorPages,
  papersize: record.paperSize,
  duplex: record.duplex,
  serialnumber: record.serialNumber,
  address: record.address,
  datetime: record.dateTime,
});
type Fields = ReturnType<typeof fieldsOf>;

const columns: readonly (keyof Fields)[] = [
  ...(['releaseid', 'terminal', 'state', 'reason', 'due', 'jobtype', 'username', 'providerid'] as const),
  ...([
    'title',
    'totalpages',
    'colorpages',
    'papersize',
    'duplex',
    'serialnumber',
    'datetime',
    'address',
  ] as const),
];

export function exportText(records: readonly WaitingRecord[], file: string): string {
  const all = records.map(fieldsOf);
  if (extname(file).toLowerCase() !== '.csv') {
    return all.map((fields) => `${JSON.stringify(fields)}\n`).join('');
  }
  const lines = all.map((fields) => columns.map((column) => cell(fields[column])).join());
  return [columns.join(), ...lines, ''].join('\r\n');
}

/** The name of a document may look like a formula. An apostrophe makes it a text. */
function cell(value: Fields[keyof Fields]): string {
  const text = String(value ?? '');
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Throws `CommandFailed` if the file exists already. */
export function refuseOld({ path, isNew }: NewFile): void {
  if (!isNew) throw new CommandFailed(`${path}: exists already. This command does not overwrite it`);
}
