/** What a person may change of a document: only what saves, and the copies (src/cloud/README.md 12, row 36). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change, PrinterCan, Wanted } from '../../src/domain/document-changes.ts';
import { changeTo, isOffered, isTwoSided, optionsOf, withChange } from '../../src/domain/document-changes.ts';
import type { Document, Sides } from '../../src/domain/document.ts';
import { sampleDocument } from '../support/sample-ticket.ts';

const all: PrinterCan = { grey: true, twoSided: true, copies: 999 };
const sent: Partial<Document> = { totalPages: 4, colorPages: 2, copies: 3, sides: 'one-sided' };
const everything = { grey: true, twoSided: true, mostCopies: 99 };

describe('what may be changed', () => {
  it.each<[string, Partial<Document>, object, Partial<PrinterCan> & { monochrome?: boolean }]>([
    ['of a document in colour, on one side', {}, {}, {}],
    ['of one that is black and white already', { grayscale: true }, { grey: false }, {}],
    ['of one without pages in colour', { colorPages: 0 }, { grey: false }, {}],
    ['of one whose colour nobody told', { colorPages: undefined }, {}, {}],
    ['where all is printed grey', {}, { grey: false }, { monochrome: true }],
    ['where grey cannot be promised', {}, { grey: false }, { grey: false }],
    ['of one that is two-sided already', { sides: 'two-sided-short-edge' }, { twoSided: false }, {}],
    ['of one whose sides nobody told', { sides: undefined }, {}, {}],
    ['of one page', { totalPages: 1 }, { twoSided: false }, {}],
    ['of pages that nobody counted', { totalPages: undefined }, {}, {}],
    ['where two sides cannot be promised', {}, { twoSided: false }, { twoSided: false }],
    ['of one with more than 99 copies', { copies: 150 }, { mostCopies: 150 }, {}],
    ['where one copy is made at a time', {}, { mostCopies: 3 }, { copies: 1 }],
    ['where a few are made at a time', {}, { mostCopies: 20 }, { copies: 20 }],
  ])('%s', (_what, facts, options, { monochrome = false, ...can }) => {
    const document = sampleDocument({ ...sent, ...facts });
    expect(optionsOf(document, { can: { ...all, ...can }, monochrome })).toEqual({
      ...everything,
      ...options,
    });
  });

  it.each([{ totalPages: 5001 }, { copies: 1000 }])('of one that is too long: nothing', (facts) => {
    expect(optionsOf(sampleDocument(facts), { can: all, monochrome: false })).toBeUndefined();
  });
});

const anyPort = { monochrome: false };
const shown = { copies: 3, color: true, sides: 'one-sided', options: everything } as const;

it('pages and other paper are offered where the converter can, and only what it would change', () => {
  const can = { ...all, pages: true, fits: true };
  const otherPaper = () => 'A4';
  const offered = (facts: Partial<Document>) =>
    optionsOf(sampleDocument({ ...sent, ...facts }), { can, otherPaper, monochrome: false });
  expect(offered({})).toEqual({ ...everything, pages: 4, otherPaper: 'A4' });
  expect(offered({ totalPages: 1 })).not.toHaveProperty('pages');
  expect(offered({ totalPages: undefined })).not.toHaveProperty('pages');
  expect(optionsOf(sampleDocument(sent), { can: all, otherPaper, monochrome: false })).toEqual(everything);
});

it('what comes out on other paper, or in part, is no longer what the service listed', () => {
  const listed = { totalPages: 4, colorPages: 2, paperSize: 'A3' };
  const document = sampleDocument({ ...sent, paperSize: 'A3', listed });
  const change = changeTo(
    document,
    { copies: 3, color: true, sides: 'one-sided', onPaper: 'A4', chosenPages: [{ from: 2, to: 3 }] },
    { monochrome: false },
  );
  expect(change).toEqual({ onPaper: 'A4', pages: { ranges: [{ from: 2, to: 3 }], of: 4 } });
  expect(withChange(document, change)).toMatchObject({ paperSize: 'A4', totalPages: 2, colorPages: 1 });
  expect(withChange(document, change)).not.toHaveProperty('listed');
});

describe('a change', () => {
  const fixed = { grey: false, twoSided: false, mostCopies: 99 };
  it.each<[string, boolean, Partial<Wanted>, object]>([
    ['to grey', true, { color: false }, {}],
    ['to both sides', true, { sides: 'two-sided-long-edge' }, {}],
    ['to one copy', true, { copies: 1 }, {}],
    ['to 99 copies', true, { copies: 99 }, {}],
    ['to all of it', true, { color: false, sides: 'two-sided-long-edge', copies: 1 }, {}],
    ['to nothing', true, {}, {}],
    ['back to colour', true, {}, { color: false }],
    ['back to one side', true, {}, { sides: 'two-sided-long-edge' }],
    ['back to one side, of what was told no sides', true, {}, { sides: undefined }],
    ['to none', false, { copies: 0 }, {}],
    ['to less than none', false, { copies: -1 }, {}],
    ['to 100 copies', false, { copies: 100 }, {}],
    ['to one and a half', false, { copies: 1.5 }, {}],
    ['to copies without number', false, { copies: Number.NaN }, {}],
    ['to the short edge', false, { sides: 'two-sided-short-edge' }, {}],
    ['to grey, where that cannot be', false, { color: false }, { options: fixed }],
    ['to both sides, where that cannot be', false, { sides: 'two-sided-long-edge' }, { options: fixed }],
    ['to colour, of what was sent grey', false, {}, { color: false, options: fixed }],
    ['to one side, of what was sent two-sided', false, {}, { sides: 'two-sided-long-edge', options: fixed }],
    ['of what offers none', false, {}, { options: undefined }],
    ['to some pages', true, { chosenPages: [{ from: 2, to: 4 }] }, { options: { ...everything, pages: 4 } }],
    [
      'to a page too many',
      false,
      { chosenPages: [{ from: 2, to: 5 }] },
      { options: { ...everything, pages: 4 } },
    ],
    ['to some pages, where that cannot be', false, { chosenPages: [{ from: 2, to: 4 }] }, {}],
    ['to other paper', true, { onPaper: 'A4' }, { options: { ...everything, otherPaper: 'A4' } }],
    ['to the paper that was chosen', true, { onPaper: 'A4' }, { onPaper: 'A4' }],
    [
      'to paper that nobody offers',
      false,
      { onPaper: 'A5' },
      { options: { ...everything, otherPaper: 'A4' } },
    ],
  ])('%s: %s', (_what, is, wanted, view) => {
    const asShown = { copies: 3, color: true, sides: 'one-sided' as const };
    expect(isOffered({ ...shown, ...view }, { ...asShown, ...wanted })).toBe(is);
  });

  it('is how a document differs from what was sent; back again it is none', () => {
    const document = sampleDocument(sent);
    const change = changeTo(document, { copies: 1, color: false, sides: 'two-sided-long-edge' }, anyPort);
    expect(change).toEqual({ copies: 1, grey: true, twoSided: true });
    expect(withChange(document, change)).toEqual({
      ...document,
      copies: 1,
      grayscale: true,
      sides: 'two-sided-long-edge',
    });
    expect(changeTo(document, { copies: 3, color: true, sides: 'one-sided' }, anyPort)).toEqual({});
    expect(withChange(document, {})).toEqual(document);
    // All is grey there: nobody has asked for it.
    const copied = { copies: 1, color: false, sides: 'one-sided' } as const;
    expect(changeTo(document, copied, { monochrome: true })).toEqual({ copies: 1 });
  });
});

const sides = fc.constantFrom<(Sides | undefined)[]>(
  undefined,
  'one-sided',
  'two-sided-long-edge',
  'two-sided-short-edge',
);
const documents = fc
  .record({
    totalPages: fc.option(fc.integer({ min: 1, max: 6000 }), { nil: undefined }),
    colorPages: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    copies: fc.integer({ min: 1, max: 1200 }),
    grayscale: fc.boolean(),
    sides,
  })
  .map(sampleDocument);
const wishes = fc.record({
  copies: fc.oneof(fc.integer({ min: -1, max: 200 }), fc.double()),
  color: fc.boolean(),
  sides,
});
const places = fc.record({
  can: fc.record({ grey: fc.boolean(), twoSided: fc.boolean(), copies: fc.integer({ min: 1, max: 999 }) }),
  monochrome: fc.boolean(),
});

/** As it was sent, or two sides of what had one. */
const expectSaved = (printed: Sides | undefined, before: Sides | undefined) =>
  expect(printed === before || (isTwoSided(printed) && !isTwoSided(before))).toBe(true);

describe('whatever is said, in whatever order', () => {
  /** As the terminal goes on: what is not offered changes nothing. */
  const after = (document: Document, said: readonly [Wanted, Parameters<typeof optionsOf>[1]][]): Change =>
    said.reduce<Change>((change, [wanted, place]) => {
      const now = withChange(document, change);
      const options = optionsOf(document, place);
      const view = {
        copies: now.copies,
        sides: now.sides,
        color: !now.grayscale && !place.monochrome,
        ...(options && { options }),
      };
      return isOffered(view, wanted) ? changeTo(document, wanted, place) : change;
    }, {});
  const said = fc.array(fc.tuple(wishes, places), { maxLength: 8 });

  it('no document is wider than it was sent', () => {
    fc.assert(
      fc.property(documents, said, (document, words) => {
        const printed = withChange(document, after(document, words));
        const { copies, grayscale } = printed;
        expect(grayscale || !document.grayscale).toBe(true);
        expectSaved(printed.sides, document.sides);
        expect(Number.isInteger(copies)).toBe(true);
        expect(copies).toBeGreaterThanOrEqual(1);
        expect(copies).toBeLessThanOrEqual(Math.max(99, document.copies));
        expect({ ...printed, sides: undefined }).toEqual({
          ...document,
          copies,
          grayscale,
          sides: undefined,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('nor is what the service says of it by then', () => {
    fc.assert(
      fc.property(documents, documents, said, (then, now, words) => {
        const printed = withChange(now, after(then, words));
        expect(printed.grayscale || !now.grayscale).toBe(true);
        expectSaved(printed.sides, now.sides);
        expect(printed.copies).toBeLessThanOrEqual(Math.max(99, now.copies));
      }),
      { numRuns: 300 },
    );
  });
});
