/**
 * History records as an accountant can enter them, in the fields of `POST /documents/history` (spec, Documents): a
 * spreadsheet where the file's name ends in .csv (RFC 4180), else JSON Lines.
 */
import { extname } from 'node:path';
import type { WaitingRecord } from '../../domain/ports/ledger.ts';
import { CommandFailed } from '../failure.ts';
import type { NewFile } from '../new-file.ts';

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

/** A document may be called so that a spreadsheet would reckon with it: an apostrophe makes it text. */
function cell(value: Fields[keyof Fields]): string {
  const text = String(value ?? '');
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Throws `CommandFailed` for what is there already. */
export function refuseOld({ path, isNew }: NewFile): void {
  if (!isNew) throw new CommandFailed(`${path}: exists already. This command does not overwrite it`);
}
