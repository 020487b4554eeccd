/** The job record that `POST /documents/history` takes. A field that is not known is left out. */
import type { Document } from './document.ts';
import { colorPagesOf } from './document.ts';
import type { PortKey } from './output-port.ts';
import { shareOf } from './page-range.ts';
import type { User } from './user.ts';

export interface HistoryRecord {
  readonly jobType: 'PRINT';
  readonly userName: string;
  readonly providerId: number;
  readonly title: string;
  /** Pages that came out: the document's pages times its copies. */
  readonly totalPages?: number;
  readonly colorPages?: number;
  readonly paperSize?: string;
  /** The service's boolean: long edge, or anything else. */
  readonly duplex?: boolean;
  readonly serialNumber: string;
  /** Of the output port, where that has no serial number. */
  readonly address?: string;
  /** Time of the release, `YYYY-MM-DDTHH:mm:ss+HH:mm`. */
  readonly dateTime: string;
}

/** Titles the service can store: 255 characters of well-formed text without control characters. */
const storableTitle = (name: string): string =>
  [...name.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, ' ')].slice(0, 255).join('');

export function historyOf(release: {
  document: Document;
  user: Pick<User, 'userName' | 'providerId'>;
  monochrome: boolean;
  port: PortKey;
  dateTime: string;
}): HistoryRecord {
  const { document, user } = release;
  const colorPages = colorPagesOf(document, release);
  return {
    jobType: 'PRINT',
    userName: user.userName,
    providerId: user.providerId,
    title: storableTitle(document.name),
    ...(document.totalPages === undefined ? {} : { totalPages: document.totalPages * document.copies }),
    ...(colorPages === undefined ? {} : { colorPages: colorPages * document.copies }),
    ...(document.paperSize === undefined ? {} : { paperSize: document.paperSize }),
    ...(document.sides === undefined ? {} : { duplex: document.sides === 'two-sided-long-edge' }),
    ...release.port,
    dateTime: release.dateTime,
  };
}

/** `null`: nobody has said so. */
export const cutAtMost = (record: HistoryRecord, pages: number | null): HistoryRecord =>
  pages !== null && pages < (record.totalPages ?? 0) ? cutToPages(record, pages) : record;

/** As if only the first of its pages had come out. */
export function cutToPages(
  { totalPages = 0, colorPages, ...rest }: HistoryRecord,
  pages: number,
): HistoryRecord {
  const of = Math.max(totalPages, pages);
  const colored =
    colorPages === undefined ? {} : { colorPages: shareOf(colorPages, { from: 1, to: pages, of }) };
  return { ...rest, totalPages: pages, ...colored };
}
