import { describe, expect, it } from 'vitest';
import { attribute } from '../../../src/ipp/message.ts';
import * as ipp from '../../../src/ipp/values.ts';
import { areAllEmpty, isNowhere } from '../../../src/domain/printer/paper-trays.ts';
import { paperTrays } from '../../../src/printing/ipp/printer/paper-trays.ts';
import { readinessOf, whereAJobStands } from '../../../src/printing/ipp/printer/printer-attributes.ts';

const noTrays = { trays: [], ready: [] } as const;
const when = (...stateReasons: readonly string[]) =>
  ({ state: 'idle', stateReasons, acceptingJobs: true, trays: noTrays }) as const;

/** Of a part: of one tray, one colour, one bin, one cover. */
const ofParts = [
  'media-empty',
  'media-needed',
  'media-jam',
  'input-tray-missing',
  'output-tray-missing',
  'output-area-full',
  'cover-open',
  'door-open',
  'interlock-open',
  'toner-empty',
  'marker-supply-empty',
  'marker-waste-full',
  'developer-empty',
  'opc-life-over',
  'fuser-over-temp',
  'fuser-under-temp',
  'timed-out',
  'spool-area-full',
];

/** Of the printer and its jobs. */
const ofAll = [
  'paused',
  'moving-to-paused',
  'hold-new-jobs',
  'shutdown',
  'power-down',
  'offline',
  'deactivated',
];

describe('a printer that is idle or at work, and takes jobs', () => {
  it.each(ofParts)('prints in spite of %s, which is remarked', (reason) => {
    for (const state of ['idle', 'processing'] as const) {
      expect(readinessOf({ ...when('toner-low', reason), state })).toEqual({
        obstacles: [],
        remarks: [reason],
      });
      expect(readinessOf({ ...when(`${reason}-error`), state }).remarks).toEqual([`${reason}-error`]);
    }
  });

  it.each(ofAll)('is not ready with %s, whatever its state says', (reason) => {
    expect(readinessOf(when('media-empty', reason))).toEqual({
      obstacles: [reason],
      remarks: ['media-empty'],
    });
    expect(readinessOf(when(`${reason}-warning`, `${reason}-report`)).obstacles).toEqual([]);
  });

  it.each([
    'toner-low',
    'media-low',
    'marker-supply-low-error',
    'developer-low',
    'other',
    'media-empty-report',
  ])('says nothing of importance with %s', (reason) => {
    expect(readinessOf(when(reason))).toEqual({ obstacles: [], remarks: [] });
  });

  it('has an obstacle of what it remarked, where a job of ours stands', () => {
    const seen = readinessOf(when('media-empty-error', 'paused', 'toner-low'));
    expect(whereAJobStands(seen)).toEqual({ obstacles: ['paused', 'media-empty-error'], remarks: [] });
  });
});

describe('a printer that stands still', () => {
  it.each([...ofParts, ...ofAll])('is not ready with %s, as an error or without a severity', (reason) => {
    expect(readinessOf({ ...when('toner-low', reason), state: 'stopped' }).obstacles).toEqual([reason]);
    expect(readinessOf({ ...when(`${reason}-error`), acceptingJobs: false }).obstacles).toEqual([
      `${reason}-error`,
    ]);
    expect(readinessOf({ ...when(reason), state: undefined }).obstacles).toEqual([reason]);
  });

  it('is not ready when it is stopped, whatever it says', () => {
    const stopped = { ...when(), state: 'stopped' } as const;
    expect(readinessOf(stopped).obstacles).toEqual(['stopped']);
    expect(readinessOf({ ...stopped, stateReasons: ['other-warning'] }).obstacles).toEqual(['other-warning']);
    expect(readinessOf({ ...stopped, stateReasons: ['media-jam-error', 'other'] }).obstacles).toEqual([
      'media-jam-error',
    ]);
  });

  it('is waited for where it takes no jobs because it works', () => {
    const working = { ...when('media-empty-error'), state: 'processing', acceptingJobs: false } as const;
    expect(readinessOf(working).obstacles).toEqual([]);
  });
});

/** A tray in the words of PWG 5100.13; sides in micrometres. */
const tray = (level: number, [along, across]: readonly [number, number] = [0, 0]) =>
  `type=other;dimunit=micrometers;mediafeed=${along};mediaxfeed=${across};maxcapacity=250;level=${level};status=0;name=main;`;
const auto = 'type=sheetFeedAutoRemovableTray;mediafeed=0;maxcapacity=-2;level=-2;status=0;name=auto';
const a4 = [297_000, 210_000] as const;
const a4Across = [210_000, 297_000] as const;
const letter = [279_400, 215_900] as const;

const reported = ({
  inputTrays = [],
  ready = [],
  columns = [],
}: {
  readonly inputTrays?: readonly string[];
  readonly ready?: readonly string[];
  readonly columns?: readonly (readonly [number, number])[];
}) =>
  paperTrays([
    attribute('printer-input-tray', ...inputTrays.map((text) => ipp.octetString(Buffer.from(text)))),
    attribute('media-ready', ...ready.map(ipp.keyword)),
    attribute(
      'media-col-ready',
      ...columns.map(([width, height]) =>
        ipp.collection([
          attribute(
            'media-size',
            ipp.collection([
              attribute('x-dimension', ipp.integer(width)),
              attribute('y-dimension', ipp.integer(height)),
            ]),
          ),
        ]),
      ),
    ),
  ]);

describe('trays', () => {
  it.each([
    ['every tray is empty', [auto, tray(0), tray(0)], true],
    ['another tray has paper', [auto, tray(0), tray(120)], false],
    ['another tray does not know', [auto, tray(0), tray(-2)], false],
    ['another tray has at least one sheet', [auto, tray(0), tray(-3)], false],
    ['no tray tells its level', [auto], false],
    ['no tray is told of', [], false],
  ])('%s: there is nothing to print on', (_, inputTrays, areNone) => {
    const trays = reported({ inputTrays });
    expect(areAllEmpty(trays)).toBe(areNone);
    const { obstacles } = readinessOf({ ...when('media-empty-report', 'toner-empty'), trays });
    expect(obstacles).toEqual(areNone ? ['media-empty-report'] : []);
  });

  it.each([
    ['it is ready by its name', { ready: ['na_letter_8.5x11in', 'iso_a4_210x297mm'] }, false],
    ['other paper is ready by its name', { ready: ['na_letter_8.5x11in'] }, true],
    ['some paper is ready that nobody understands', { ready: ['na_letter_8.5x11in', 'tray-2'] }, false],
    ['it is ready by its sides', { columns: [[21_000, 29_700]] }, false],
    ['it is ready across', { columns: [[29_700, 21_000]] }, false],
    ['other paper is ready by its sides', { columns: [[21_590, 27_940]] }, true],
    ['a tray has it', { inputTrays: [tray(0, letter), tray(50, a4)] }, false],
    ['a tray has it across', { inputTrays: [tray(50, a4Across)] }, false],
    ['the tray of it is empty', { inputTrays: [tray(50, letter), tray(0, a4)] }, true],
    ['a tray has paper of a size it does not know', { inputTrays: [tray(0, a4), tray(50)] }, false],
    [
      'its tray is empty, though it is set up',
      { inputTrays: [tray(0, a4), tray(9, letter)], ready: ['iso_a4_210x297mm'] },
      true,
    ],
    ['nothing is told', {}, false],
  ] as const)('of a document on A4, where %s', (_, what, isMissing) => {
    expect(isNowhere({ width: 21_000, height: 29_700 }, reported(what))).toBe(isMissing);
  });
});
