import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openExport } from '../../../src/commands/outbox/definition.ts';
import { exportText, refuseOld } from '../../../src/commands/outbox/outbox.ts';
import type { WaitingRecord } from '../../../src/domain/ports/ledger.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const waiting = (title: string): WaitingRecord => ({
  releaseId: 'ab'.repeat(16),
  terminal: 'lobby',
  state: 'dead-letter',
  dueAt: '2026-11-21T12:00:00.000Z',
  failures: 2,
  reason: 'cloud-rejected: 400',
  record: {
    jobType: 'PRINT',
    userName: 'anna.lind',
    providerId: 7,
    title,
    totalPages: 6,
    duplex: true,
    serialNumber: 'SN-0001',
    dateTime: '2026-11-21T13:00:00+01:00',
  },
});

it('JSON Lines hold each record in the fields of the call, a line each', () => {
  const text = exportText([waiting('One.pdf'), waiting('Two.pdf')], 'records.jsonl');
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { title: string }).title)).toEqual(['One.pdf', 'Two.pdf']);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    releaseid: 'ab'.repeat(16),
    terminal: 'lobby',
    state: 'dead-letter',
    reason: 'cloud-rejected: 400',
    due: '2026-11-21T12:00:00.000Z',
    jobtype: 'PRINT',
    username: 'anna.lind',
    providerid: 7,
    title: 'One.pdf',
    totalpages: 6,
    duplex: true,
    serialnumber: 'SN-0001',
    datetime: '2026-11-21T13:00:00+01:00',
  });
});

it('a spreadsheet gets a heading and a row for each', () => {
  const [heading, row, end] = exportText([waiting('One.pdf')], 'Records.CSV').split('\r\n');
  expect(heading).toMatch(/^releaseid,terminal,state,.*,title,totalpages,colorpages,/);
  expect(row).toMatch(/,anna\.lind,7,One\.pdf,6,,,true,SN-0001,2026-11-21T13:00:00\+01:00,$/);
  expect(end).toBe('');
  expect(exportText([], 'r.csv').split('\r\n')).toHaveLength(2);
});

it.each([
  ['a "b", c', '"a ""b"", c"'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['1-2', '1-2'],
])('a document called %j does nothing in a spreadsheet', (title, cell) => {
  expect(exportText([waiting(title)], 'r.csv')).toContain(`,7,${cell},6,`);
});

it('the file is for the user alone, and takes the place of no other', () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'records.jsonl');
  const save = (path: string) => {
    using made = openExport({ config: '', file: path }).file;
    refuseOld(made);
    made.write('text');
  };
  save(file);
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['text', 0o600]);
  writeFileSync(file, 'mine');
  expect(() => save(file)).toThrow(`${file}: exists already. This command does not overwrite it`);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  // What an export leaves that failed when only root could take it away again.
  writeFileSync(file, '');
  save(file);
  expect(readFileSync(file, 'utf8')).toBe('text');
  expect(() => save(join(directory.path, 'no', 'file'))).toThrow('cannot be written (ENOENT)');
});
