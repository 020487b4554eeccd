import { expect, test } from 'vitest';
import { sentenceOf } from '../../../src/commands/timeline/view.ts';
import { shortReleaseId } from '../../../src/domain/release.ts';

const releaseId = 'ab'.repeat(16);

test.each([
  [['media-empty-error'], 'The printer is out of paper. Add paper.'],
  [['media-jam'], 'Paper is jammed in the printer. Clear the jam. The display shows where.'],
  [['made-by-a-vendor'], 'The display of the printer shows the reason.'],
  [undefined, 'The display of the printer shows the reason.'],
])('a release that failed at a printer with %j says what the printer needed', (reasons, said) => {
  const facts = { releaseId, outcome: 'failed', code: 'printer-not-ready', ...(reasons && { reasons }) };
  expect(sentenceOf({ time: '2026-11-21T12:00:00.000Z', what: 'release ended', facts })).toBe(
    `Release ${shortReleaseId(releaseId)} failed, nothing was printed: ${said} (printer-not-ready)`,
  );
  expect(sentenceOf({ time: '2026-11-21T12:00:00.000Z', what: 'release skipped', facts })).toBe(
    `A document was not printed: ${said} (printer-not-ready)`,
  );
});
