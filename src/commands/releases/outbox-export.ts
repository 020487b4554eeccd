/**
 * History records as an accountant can enter them, in the fields of `POST /documents/history` (spec, Documents): a
 * spreadsheet where the file's name ends in .csv (RFC 4180), else JSON Lines.
 */
import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { WaitingRecord } from '../../domain/ports/ledger.ts';
import { CommandFailed } from '../failure.ts';

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
  datetime: record.dateTime,
});
type Fields = ReturnType<typeof fieldsOf>;

const columns: readonly (keyof Fields)[] = [
  ...(['releaseid', 'terminal', 'state', 'reason', 'due', 'jobtype', 'username', 'providerid'] as const),
  ...(['title', 'totalpages', 'colorpages', 'papersize', 'duplex', 'serialnumber', 'datetime'] as const),
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

/** For the user alone. Throws `CommandFailed` for a file that is there, or cannot be made. */
export function saveExport(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'is there already; it is not overwritten' : `cannot be written (${code})`;
    throw new CommandFailed(`${file}: ${why}`, { cause });
  }
}
