/** The job record that `POST /documents/history` takes. An unknown field is left out. */
import { visibleText } from '../core/text/visible-text.ts';
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
  /** The address of an output port without a serial number. */
  readonly address?: string;
  /** Time of the release, `YYYY-MM-DDTHH:mm:ss+HH:mm`. */
  readonly dateTime: string;
}

/** Made safe to show. */
export const plainTitle = (title: string): string => visibleText(title) || 'Untitled';

/**
 * The title as the service has it, including controls and marks of direction. Text that is no valid Unicode cannot be
 * sent in UTF-8.
 */
const titleOf = ({ title, name }: Document): string => (title ?? name).slice(0, longestTitle).toWellFormed();

/** No real title is that long. A faulty service must not fill the store. */
const longestTitle = 4096;

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
    title: titleOf(document),
    ...(document.totalPages === undefined ? {} : { totalPages: document.totalPages * document.copies }),
    ...(colorPages === undefined ? {} : { colorPages: colorPages * document.copies }),
    ...(document.paperSize === undefined ? {} : { paperSize: document.paperSize }),
    ...(document.sides === undefined ? {} : { duplex: document.sides === 'two-sided-long-edge' }),
    ...release.port,
    dateTime: release.dateTime,
  };
}

/** `null` if no limit is known. */
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
