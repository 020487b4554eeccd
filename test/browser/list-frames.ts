/** Lists of all kinds of documents: what may be changed, what is not to be had, and what became of what was printed. */
import type { DocumentOptions } from '../../src/domain/document-changes.ts';
import type { DocumentView } from '../../src/domain/terminal/terminal-view.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import { choosing, documentOf, longList, screens } from './frames.ts';

/** Local time of the stage's page. */
const offset = '+01:00';
/** The day the page of a steered stage stands at; noon. */
export const today = `2026-03-04T12:00:00${offset}`;
const at = (day: string, time: string) => new Date(`2026-03-${day}T${time}:00${offset}`).toISOString();

export const allOptions: DocumentOptions = { grey: true, twoSided: true, mostCopies: 3 };

/** `lecture` can be changed in every way, `report` in one, the others not at all. */
export const lecture: DocumentView = documentOf(1, {
  name: 'Lecture 7, Thermodynamics.pdf',
  pages: 48,
  color: true,
  sides: 'one-sided',
  paper: 'A4',
  sentAt: at('02', '08:00'),
  cost: '2.40',
  fits: true,
  options: allOptions,
});
const report: DocumentView = documentOf(2, {
  name: 'Minutes of the safety committee, with all annexes and the list of those present.docx',
  pages: 12,
  copies: 12,
  color: false,
  paper: 'Letter',
  sentAt: at('03', '17:20'),
  cost: '6.00',
  fits: false,
  options: { grey: false, twoSided: false, mostCopies: 12 },
});
const scan: DocumentView = documentOf(3, {
  name: 'Scan.pdf',
  pages: 1,
  color: false,
  sides: 'one-sided',
  paper: 'A4',
  sentAt: at('04', '09:05'),
  cost: '0.05',
  fits: true,
});

const unavailable = (place: number, name: string, more: Partial<DocumentView>): DocumentView =>
  documentOf(place, { name, standing: 'unavailable', paper: 'A4', sentAt: at('01', '10:00'), ...more });

export const optionsList: Frame = {
  ...choosing,
  documents: [lecture, report, scan],
  balance: { balance: '5.00', cost: '2.45', fitting: 2, tooDear: 1, costs: [] },
  mayHavePrinted: [],
};

export const unavailableList: Frame = {
  ...choosing,
  documents: [
    unavailable(1, 'On its way.pdf', { why: 'being-printed' }),
    unavailable(2, 'On my laptop.pdf', { why: 'stored-elsewhere' }),
    unavailable(3, 'Printed once.pdf', { why: 'already-printed' }),
    unavailable(4, 'All of Wikipedia.pdf', { why: 'too-long', pages: 5001 }),
    unavailable(5, 'Who knows.pdf', {}),
  ],
  mayHavePrinted: [],
};

/** After a release: some are listed still, some are not. */
export const resultsList: Frame = {
  ...choosing,
  documents: [
    documentOf(1, { name: 'Poster A0.pdf', paper: 'A0', sentAt: at('04', '09:05') }),
    documentOf(2, { name: 'Boarding pass.pdf', standing: 'may-have-printed', sentAt: at('04', '09:07') }),
  ],
  mayHavePrinted: [{ documentUuid: 'document-2', at: at('04', '11:41') }],
  progress: [
    {
      documentUuid: 'document-8',
      name: 'Travel request March.pdf',
      stage: 'failed',
      code: 'printer-unreachable',
      reference: 'a2b3c',
    },
    // Released once more.
    { documentUuid: 'document-8', name: 'Travel request March.pdf', stage: 'printed' },
    { documentUuid: 'document-9', name: 'Lecture 7, Thermodynamics.pdf', stage: 'handed-over' },
    {
      documentUuid: 'document-1',
      name: 'Poster A0.pdf',
      stage: 'failed',
      code: 'document-not-printable',
      reference: 'k7q2f',
    },
    {
      documentUuid: 'document-2',
      name: 'Boarding pass.pdf',
      stage: 'unknown',
      code: 'transfer-broken',
      reference: 'p3x9m',
    },
    {
      documentUuid: 'document-7',
      name: 'Old contract.pdf',
      stage: 'failed',
      code: 'document-gone',
      reference: 'h4d2z',
    },
  ],
};

/** A head that says all it can. */
export const fullHead: Frame = {
  ...longList(14),
  documents: (longList(14).documents ?? []).map((one) => ({ ...one, sentAt: today })),
  notice: { code: 'more-in-portal', params: { n: 14 } },
};

const half = documentOf(1, { name: 'Thesis.pdf', pages: 12, standing: 'may-have-printed' });

/** A document that came out up to the page before this one. */
export const halfPrinted = (from: number): Frame => ({
  ...choosing,
  documents: [half, documentOf(2, { name: 'Minutes.pdf', pages: 2 })],
  mayHavePrinted: [{ documentUuid: half.uuid, missing: { from, to: 12 } }],
});

const names = [
  'Travel request March.pdf',
  'Minutes of the safety committee, second part.docx',
  'Boarding pass.pdf',
  'Quarterly figures.xlsx',
  'Lecture 7, Thermodynamics.pdf',
  'Floor plan.pdf',
  'Invoice.pdf',
  'Poster.pdf',
];

/** So many documents, each with all that a row can say of it. */
export const fullRows = (count: number): Frame => ({
  ...choosing,
  waiting: count,
  documents: Array.from({ length: count }, (_, place) =>
    documentOf(place + 1, {
      name: names[place % names.length] ?? '',
      paper: 'A4',
      sentAt: today,
      cost: '2.40',
      fits: true,
      options: allOptions,
    }),
  ),
  balance: { balance: '80.00', cost: '19.20', fitting: count, tooDear: 0, costs: [] },
  mayHavePrinted: [],
});

/** A printer without paper and another one that would do, a stick, wishes that are kept, too little money. */
export const allAtOnce: Frame = {
  ...(screens['choosing-instead'] ?? choosing),
  documents: fullRows(8).documents ?? [],
  mayHavePrinted: [],
  trouble: { code: 'printer-not-ready', needs: 'paper', documentUuids: ['document-1'] },
  balance: { balance: '3.20', cost: '28.80', fitting: 1, tooDear: 11, costs: [] },
  stick: { stage: 'in', edition: 1 },
  defaults: { kept: { grey: true, twoSided: true } },
  offersAccount: true,
  offersPreview: true,
};
