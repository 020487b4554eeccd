/** The paper of a virtual printer: its sizes by name (PWG 5101.1), and how it is described (media-col of PWG 5100.7). */
import type { Value } from '../../ipp/message.ts';
import { attribute } from '../../ipp/message.ts';
import * as ipp from '../../ipp/values.ts';

/** The paper of a job that asks for none. */
export const usualMedia = 'iso_a4_210x297mm';

/** In hundredths of millimetres, like media-size (PWG 5100.7). */
const sheets = {
  iso_a4_210x297mm: [21_000, 29_700],
  iso_a3_297x420mm: [29_700, 42_000],
  iso_a5_148x210mm: [14_800, 21_000],
  'na_letter_8.5x11in': [21_590, 27_940],
  'na_legal_8.5x14in': [21_590, 35_560],
} as const;
const isSheet = (name: string): name is keyof typeof sheets => name in sheets;
export const mediaNames = Object.keys(sheets).filter(isSheet);

export const mediaCollection = (size: keyof typeof sheets, source = 'main', type = 'stationery'): Value =>
  ipp.collection([
    attribute('media-size', mediaSize(size)),
    attribute('media-size-name', ipp.keyword(size)),
    ...['media-bottom-margin', 'media-left-margin', 'media-right-margin', 'media-top-margin'].map((margin) =>
      attribute(margin, ipp.integer(423)),
    ),
    attribute('media-source', ipp.keyword(source)),
    attribute('media-type', ipp.keyword(type)),
  ]);

export const mediaSize = (size: keyof typeof sheets): Value =>
  ipp.collection([
    attribute('x-dimension', ipp.integer(sheets[size][0])),
    attribute('y-dimension', ipp.integer(sheets[size][1])),
  ]);
