/** The running count of a document that is longer than it may be, without 2 GiB on any disk (B.4, 5 Download). */
import { expect, it } from 'vitest';
import type { SpoolFile } from '../../src/printing/spool/spool-file.ts';
import { longestDocument, SpoolIntake } from '../../src/printing/spool/spool-intake.ts';

/** Keeps nothing. */
const noFile: Pick<SpoolFile, 'append'> = { append: async () => {} };

it('takes 2 GiB that nobody announced, and not an octet more', async () => {
  const intake = new SpoolIntake(noFile, undefined);
  const chunk = Buffer.alloc(64 * 1024 * 1024);
  for (let taken = 0; taken < longestDocument; taken += chunk.length) await intake.take(chunk);
  expect(intake.length).toBe(longestDocument);
  await expect(intake.take(Buffer.alloc(1))).rejects.toMatchObject({ code: 'document-too-large' });
});

it('begins with what is announced as 2 GiB, and not with an octet more', () => {
  expect(() => new SpoolIntake(noFile, longestDocument).checkAnnounced()).not.toThrow();
  expect(() => new SpoolIntake(noFile, longestDocument + 1).checkAnnounced()).toThrow(/2147483648/);
});
