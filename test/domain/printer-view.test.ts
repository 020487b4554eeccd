/** What is shown of a printer, by its printer-state-reasons (RFC 8011, 5.4.12; PWG 5100.9). */
import { expect, it } from 'vitest';
import type { PrinterDescription } from '../../src/domain/ports/printer-description.ts';
import {
  isSamePrinterView,
  printerSentence,
  printerViewOf,
  viewOfFailure,
} from '../../src/domain/printer/printer-view.ts';

const printer = (facts: Partial<PrinterDescription>): PrinterDescription => ({
  ready: true,
  state: 'idle',
  stateReasons: [],
  acceptingJobs: true,
  formats: [],
  mediaReady: [],
  makeAndModel: '',
  firmware: '',
  ...facts,
});

it.each([
  ['media-empty-error', 'paper'],
  ['media-needed', 'paper'],
  ['media-jam', 'jam'],
  ['cover-open', 'door'],
  ['interlock-open-error', 'door'],
  ['toner-empty', 'toner'],
  ['marker-supply-empty-error', 'toner'],
  ['input-tray-missing', 'tray'],
  ['output-area-full', 'output-full'],
  ['fuser-over-temp', 'somebody'],
  ['paused', 'somebody'],
  ['stapler-jam-error', 'somebody'],
])('a printer that stands with %s needs %s', (reason, needs) => {
  const view = printerViewOf(printer({ ready: false, state: 'stopped', stateReasons: [reason] }));
  expect(view).toEqual({ lamp: 'needs-attention', needs });
});

it('what keeps pages from coming out goes before what does not', () => {
  const stateReasons = ['toner-low-report', 'media-jam-error'];
  expect(printerViewOf(printer({ ready: false, stateReasons })).needs).toBe('jam');
});

it.each([
  ['none', { stateReasons: ['none'] }],
  ["a manufacturer's own", { stateReasons: ['com.example-odd'] }],
])('a printer that stands with %s reason needs attention, and nobody says what', (_, facts) => {
  expect(printerViewOf(printer({ ready: false, ...facts }))).toEqual({ lamp: 'needs-attention' });
});

it.each([
  ['ready', {}],
  ['ready', { stateReasons: ['toner-low-warning', 'media-empty-report'] }],
  ['busy', { state: 'processing' }],
] as const)('a printer that can print is %s', (lamp, facts) => {
  expect(printerViewOf(printer(facts))).toEqual({ lamp });
});

it('two views are the same where a person would see the same', () => {
  const jam = { lamp: 'needs-attention', needs: 'jam' } as const;
  expect(isSamePrinterView(jam, { ...jam })).toBe(true);
  expect(isSamePrinterView(jam, { lamp: 'needs-attention' })).toBe(false);
  expect(isSamePrinterView(undefined, jam)).toBe(false);
});

it.each([
  ['printer-unreachable', 'The printer cannot be reached. Is it switched on?'],
  ['printer-path-unknown', 'The printer cannot be used. An administrator has to check it.'],
  ['printer-protocol', 'The printer cannot be used. An administrator has to check it.'],
  ['printer-denied', 'The printer cannot be used. An administrator has to check it.'],
  ['printer-busy', undefined],
] as const)('only of one that is silent it is said that it is away: %s', (code, sentence) => {
  expect(printerSentence(viewOfFailure({ code }))).toBe(sentence);
});
