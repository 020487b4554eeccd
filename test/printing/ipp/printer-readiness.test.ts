import { describe, expect, it } from 'vitest';
import { obstaclesOf } from '../../../src/printing/ipp/printer/printer-readiness.ts';

const when = (...stateReasons: readonly string[]) =>
  ({ state: 'idle', stateReasons, inputTrays: [] }) as const;

/** A tray in the words of PWG 5100.13. */
const tray = (level: number) => `type=other;maxcapacity=250;level=${level};status=0;name=main;`;

const preventing = [
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
  'paused',
  'moving-to-paused',
  'hold-new-jobs',
  'shutdown',
  'offline',
  'timed-out',
  'deactivated',
  'spool-area-full',
];

describe('a printer', () => {
  it.each(preventing)('is not ready with %s, as an error or without a severity', (reason) => {
    expect(obstaclesOf(when('toner-low', reason))).toEqual([reason]);
    expect(obstaclesOf(when(`${reason}-error`))).toEqual([`${reason}-error`]);
  });

  it.each(preventing)('is ready with %s as a warning or a report (RFC 8011 section 5.4.12)', (reason) => {
    expect(obstaclesOf(when(`${reason}-warning`, `${reason}-report`))).toEqual([]);
  });

  it.each([
    'toner-low',
    'media-low',
    'marker-supply-low-error',
    'developer-low',
    'other',
    'connecting-to-device',
  ])('is ready with %s', (reason) => {
    expect(obstaclesOf(when(reason))).toEqual([]);
  });

  it('is not ready when it is stopped, whatever it says', () => {
    expect(obstaclesOf({ ...when(), state: 'stopped' })).toEqual(['stopped']);
    expect(obstaclesOf({ ...when('other-warning'), state: 'stopped' })).toEqual(['other-warning']);
    expect(obstaclesOf({ ...when('media-jam-error', 'other'), state: 'stopped' })).toEqual([
      'media-jam-error',
    ]);
  });

  const auto = 'type=sheetFeedAutoRemovableTray;mediafeed=0;maxcapacity=-2;level=-2;status=0;name=auto';

  it.each([
    ['every tray is empty', [auto, tray(0), tray(0)], ['media-empty-report']],
    ['another tray has paper', [auto, tray(0), tray(120)], []],
    ['another tray does not know', [auto, tray(0), tray(-2)], []],
    ['no tray tells its level', [auto], []],
    ['no tray is told of', [], []],
  ])('that reports an empty tray, when %s', (_, inputTrays, obstacles) => {
    expect(obstaclesOf({ ...when('media-empty-report'), inputTrays })).toEqual(obstacles);
  });
});
