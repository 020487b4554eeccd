/** Which pages are missing, where that is certain; and where it is not, nothing is offered. */
import { expect, it } from 'vitest';
import { cutToPages, historyOf } from '../../src/domain/history.ts';
import type { PickedPages } from '../../src/domain/page-range.ts';
import { missingPages } from '../../src/domain/missing-pages.ts';
import { onlyPages } from '../../src/domain/page-range.ts';
import { sampleDocument } from '../support/sample-ticket.ts';

type Asked = Parameters<typeof missingPages>[0];

const after = (
  report: Partial<Asked['report']>,
  {
    document = {},
    ...more
  }: { document?: Partial<Asked['document']>; picked?: PickedPages; isInOrder?: boolean } = {},
) =>
  missingPages({
    document: { totalPages: 12, copies: 1, sides: 'one-sided', ...document },
    picked: undefined,
    report: { state: 'aborted', reasons: [], ...report },
    isInOrder: true,
    ...more,
  });
const rest = { from: 7, to: 12 };
const bothSides = { sides: 'two-sided-long-edge' } as const;
const picked = { from: 7, to: 12, of: 12 };

it.each<[string, ReturnType<typeof after>]>([
  ['one-sided, impressions alone', after({ impressionsCompleted: 6 })],
  ['one-sided, sheets alone', after({ sheetsCompleted: 6 })],
  ['one-sided, both alike', after({ impressionsCompleted: 6, sheetsCompleted: 6 })],
  ['a job that was cancelled', after({ state: 'canceled', impressionsCompleted: 6 })],
  ['it expected as many as there are', after({ impressions: 12, impressionsCompleted: 6 })],
  ['it did not say how many it expected', after({ impressions: 0, impressionsCompleted: 6 })],
  [
    'sides that nobody told, on as many sheets',
    after({ impressionsCompleted: 6, sheetsCompleted: 6 }, { document: { sides: undefined } }),
  ],
  [
    'both sides, on half as many sheets',
    after({ impressionsCompleted: 6, sheetsCompleted: 3 }, { document: bothSides }),
  ],
])('is certain: %s', (_, missing) => {
  expect(missing).toEqual(rest);
});

it.each<[string, ReturnType<typeof after>]>([
  ['nothing was counted', after({})],
  ['a count of 0', after({ impressionsCompleted: 0, sheetsCompleted: 0 })],
  ['all of it was counted', after({ impressionsCompleted: 12 })],
  ['more than all of it', after({ impressionsCompleted: 13 })],
  ['a job that completed contradicts its count', after({ state: 'completed', impressionsCompleted: 6 })],
  ['a job that has not ended', after({ state: 'processing-stopped', impressionsCompleted: 6 })],
  ['two copies', after({ impressionsCompleted: 6 }, { document: { copies: 2 } })],
  [
    'the document has no pages that anybody knows',
    after({ impressionsCompleted: 6 }, { document: { totalPages: undefined } }),
  ],
  [
    'it went out otherwise than from its first page on, or has no pages to pick',
    after({ impressionsCompleted: 6 }, { isInOrder: false }),
  ],
  ['both sides, and sheets are not told', after({ impressionsCompleted: 6 }, { document: bothSides })],
  [
    'both sides, a sheet that has one so far',
    after({ impressionsCompleted: 7, sheetsCompleted: 4 }, { document: bothSides }),
  ],
  [
    'both sides, sheets under the name of impressions',
    after({ impressionsCompleted: 3, sheetsCompleted: 3 }, { document: bothSides }),
  ],
  ['one-sided, on fewer sheets than sides', after({ impressionsCompleted: 6, sheetsCompleted: 3 })],
  [
    'sides that nobody told, and no sheets',
    after({ impressionsCompleted: 6 }, { document: { sides: undefined } }),
  ],
  [
    'a printer that puts two pages on a side by itself',
    after({ impressions: 6, impressionsCompleted: 3, sheetsCompleted: 3 }),
  ],
  ['a printer that counts a banner among them', after({ impressions: 13, impressionsCompleted: 6 })],
  [
    'sheets that are still on their way out',
    after({ reasons: ['processing-to-stop-point'], impressionsCompleted: 6 }),
  ],
  ['a printer that counts documents', after({ impressions: 1, impressionsCompleted: 1 })],
])('is not certain, and not offered: %s', (_, missing) => {
  expect(missing).toBeUndefined();
});

it('of some pages that were given up again, the rest of those is missing', () => {
  const document = { totalPages: 6 };
  expect(after({ impressionsCompleted: 2 }, { document, picked })).toEqual({ from: 9, to: 12 });
  expect(after({ impressionsCompleted: 6 }, { document, picked })).toBeUndefined();
});

it('some pages are charged and recorded as these alone, with their share of what is in colour', () => {
  const document = sampleDocument({ totalPages: 12, colorPages: 12 });
  const listed = { totalPages: 12, colorPages: 12, paperSize: 'A4' };
  expect(onlyPages({ ...document, listed }, [rest])).toEqual({ ...document, totalPages: 6, colorPages: 6 });
  expect(onlyPages({ ...document, colorPages: 0 }, [rest])).toMatchObject({ totalPages: 6, colorPages: 0 });
  expect(onlyPages({ ...document, colorPages: undefined }, [rest]).colorPages).toBeUndefined();
});

it.each([1, 3, 5, 11])(
  'of twelve pages no colour is lost in two parts, and none counted twice: %s',
  (colorPages) => {
    const document = sampleDocument({ totalPages: 12, colorPages, copies: 1 });
    const user = { userName: 'anna.lind', providerId: 7 };
    const record = (one: typeof document) =>
      historyOf({ document: one, user, monochrome: false, port: { serialNumber: 'SN-0001' }, dateTime: '' });
    for (let out = 1; out < 12; out += 1) {
      const first = cutToPages(record(document), out);
      const second = record(onlyPages(document, [{ from: out + 1, to: 12 }]));
      expect((first.colorPages ?? 0) + (second.colorPages ?? 0)).toBe(colorPages);
      for (const { colorPages: color = 0, totalPages: all = 0 } of [first, second]) {
        expect(color).toBeLessThanOrEqual(all);
      }
    }
  },
);
