/** What a person calls a document: without the program that printed it, its kind apart. */
import { expect, it } from 'vitest';
import { titleOf } from '../../../src/kiosk/page/words/document-title.ts';

it.each([
  ['Microsoft Word - Minutes.docx', { title: 'Minutes', kind: 'DOCX' }],
  ['Microsoft Office Excel – Figures.XLSX', { title: 'Figures', kind: 'XLSX' }],
  ['Microsoft PowerPoint - Lecture 7', { title: 'Lecture 7' }],
  ['Travel request March.pdf', { title: 'Travel request March', kind: 'PDF' }],
  ['تقرير.pdf', { title: 'تقرير', kind: 'PDF' }],
  ['Version 2.1', { title: 'Version 2.1' }],
  ['report.final', { title: 'report.final' }],
  ['Microsoft Word - ', { title: 'Microsoft Word - ' }],
  ['Why Microsoft Word - a history.txt', { title: 'Why Microsoft Word - a history', kind: 'TXT' }],
  ['.pdf', { title: '.pdf' }],
  ['   ', { title: '   ' }],
])('calls %j %j', (name, called) => {
  expect(titleOf(name)).toEqual(called);
});
