import { describe, expect, it } from 'vitest';
import { foremostReason, hinders, printerReason } from '../../src/domain/problem/printer-reasons.ts';
import { Problem } from '../../src/domain/problem/problem.ts';

/** RFC 8011 section 5.4.12, without `none` and `other`, which say nothing. */
const ofRfc8011 = [
  'connecting-to-device',
  'cover-open',
  'developer-empty',
  'developer-low',
  'door-open',
  'fuser-over-temp',
  'fuser-under-temp',
  'input-tray-missing',
  'interlock-open',
  'interpreter-resource-unavailable',
  'marker-supply-empty',
  'marker-supply-low',
  'marker-waste-almost-full',
  'marker-waste-full',
  'media-empty',
  'media-jam',
  'media-low',
  'media-needed',
  'moving-to-paused',
  'opc-life-over',
  'opc-near-eol',
  'output-area-almost-full',
  'output-area-full',
  'output-tray-missing',
  'paused',
  'shutdown',
  'spool-area-full',
  'stopped-partly',
  'stopping',
  'timed-out',
  'toner-empty',
  'toner-low',
];

describe('a printer-state-reason', () => {
  it.each(ofRfc8011)('of RFC 8011 has a sentence and an advice: %s', (reason) => {
    for (const said of [reason, `${reason}-error`, `${reason}-warning`, `${reason}-report`]) {
      expect(printerReason(said)).toMatchObject({
        person: expect.stringMatching(/^[A-Z].*\.$/),
        advice: expect.stringMatching(/^[A-Z].*\.$/),
      });
    }
  });

  it.each([
    ['marker-ink-empty', 'The printer is out of ink.'],
    ['input-media-tray-feed-error', 'The printer cannot move its paper.'],
    ['stapler-empty-warning', 'The stapler of the printer is empty.'],
    ['make-envelope-cover-open', 'The envelope maker of the printer is open.'],
    ['binder-unrecoverable-storage-error', 'The binder of the printer has a fault.'],
    ['subunit-unrecoverable-failure-report', 'The finisher of the printer has a fault.'],
  ])('of PWG 5100.9 has one too: %s', (reason, person) => {
    expect(printerReason(reason)?.person).toBe(person);
  });

  it.each(['other', 'none', 'com.example-toner-strange', 'stapler-', 'stapler-dances', 'constructor', ''])(
    'that nobody knows is not told: %j',
    (reason) => {
      expect([printerReason(reason), hinders(reason)]).toEqual([undefined, false]);
    },
  );

  it('that keeps pages from coming out goes before others, and a mere report does not', () => {
    expect(foremostReason(['toner-low', 'other', 'door-open-error'])?.person).toMatch(/door/);
    expect(foremostReason(['media-jam-report', 'cover-open'])?.person).toMatch(/cover/);
    expect(foremostReason(['toner-low-warning'])?.person).toBe('The printer is low on toner.');
    expect(foremostReason(['other'])).toBeUndefined();
  });
});

describe('the sentence on the screen', () => {
  const personOf = (...[code, reasons]: [Problem['code'], readonly string[]]) =>
    new Problem(code, 'not for persons', { reasons }).person;

  it('tells what the printer needs', () => {
    expect(personOf('printer-not-ready', ['media-empty-error'])).toBe('The printer is out of paper.');
    expect(personOf('printer-stalled', ['printer-stopped', 'media-jam'])).toBe(
      'Paper is jammed in the printer. Please look at the tray.',
    );
  });

  it('never tells what only the printer says, nor a reason where another problem is', () => {
    expect(personOf('printer-not-ready', ['com.example-beer-empty'])).toBe(
      'The printer needs attention. Please look at its display.',
    );
    expect(personOf('printer-refused-job', ['media-empty'])).toBe('The printer did not take this document.');
  });

  it('comes with an advice for the operator', () => {
    const problem = new Problem('printer-not-ready', 'not ready', { reasons: ['cover-open'] });
    expect(problem.advice).toBe('Close the covers.');
  });
});
