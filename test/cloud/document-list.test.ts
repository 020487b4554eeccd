/** What is believed of a document list: INVARIANTS.md B.4, 3 List. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../src/cloud/resources/document-list.ts';
import { documentUuid, isBeyondLimits } from '../../src/domain/document.ts';

const entry = (more: Record<string, unknown> = {}) => ({
  uuid: 'a-1',
  documentName: 'Report.pdf',
  userName: 'ann',
  totalPages: 3,
  colorPages: 1,
  duplex: 1,
  copies: 2,
  grayscale: false,
  paperSize: 'A4',
  storageOnline: true,
  collate: true,
  status: 0,
  dateTime: Date.parse('2026-11-21T11:58:00Z'),
  jobType: 'PRINT',
  tags: [],
  ...more,
});
const reading = { owner: 'ann', now: Date.parse('2026-11-21T12:00:00Z') };
const one = (more: Record<string, unknown>) => readDocuments([entry(more)], reading).documents[0];

describe('an entry', () => {
  it('becomes a document', () => {
    expect(readDocuments([entry()], reading)).toEqual({
      documents: [
        {
          uuid: 'a-1',
          name: 'Report.pdf',
          totalPages: 3,
          colorPages: 1,
          copies: 2,
          grayscale: false,
          sides: 'two-sided-long-edge',
          paperSize: 'A4',
          collate: true,
          storageOnline: true,
          sentAt: '2026-11-21T11:58:00.000Z',
          listed: { totalPages: 3, colorPages: 1, paperSize: 'A4' },
        },
      ],
      leftOut: {},
    });
  });

  it.each([
    ['unusable', entry({ uuid: '../x' })],
    ['unusable', entry({ uuid: '..' })],
    ['unusable', entry({ uuid: 'a'.repeat(129) })],
    ['unusable', entry({ uuid: 7 })],
    ['unusable', entry({ userName: 7 })],
    ['unusable', entry({ status: undefined })],
    ['unusable', 'a-1'],
    ['unusable', null],
    ['not-ready', entry({ status: 1 })],
    ['not-ready', entry({ status: 9 })],
    ['other-user', entry({ userName: 'bob' })],
  ])('is left out as %s', (reason, bad) => {
    const good = entry({ uuid: 'good' });
    const { documents, leftOut } = readDocuments([bad, good], reading);
    expect(documents.map(({ uuid }) => uuid)).toEqual(['good']);
    expect(leftOut).toEqual({ [reason]: 1 });
  });

  it('belongs to its user in any spelling of the name, and to the asker when it names nobody', () => {
    expect(one({ userName: 'Ann' })).toBeDefined();
    const spelledApart = readDocuments([entry({ userName: 'A\u0308nn' })], { ...reading, owner: '\u00e4nn' });
    expect(spelledApart.documents).toHaveLength(1);
    expect(one({ userName: undefined })).toBeDefined();
    expect(one({ userName: null })).toBeDefined();
  });

  it('twice the same is one; twice with differences is none', () => {
    expect(readDocuments([entry(), entry()], reading).documents).toHaveLength(1);
    const { documents, leftOut } = readDocuments([entry(), entry({ copies: 3 }), entry()], reading);
    expect(documents).toEqual([]);
    expect(leftOut.ambiguous).toBeGreaterThan(0);
  });

  it('of the first 500 counts, and the others are told of', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => entry({ uuid: `d-${i}` }));
    const { documents, leftOut } = readDocuments(many, reading);
    expect(documents).toHaveLength(500);
    expect(leftOut).toEqual({ 'beyond-limit': 9500 });
  });
});

describe('numbers', () => {
  it.each([
    [
      { totalPages: 0, copies: 0 },
      { totalPages: undefined, copies: 1 },
    ],
    [
      { totalPages: -4, copies: -1, colorPages: -1 },
      { totalPages: undefined, copies: 1, colorPages: undefined },
    ],
    [
      { totalPages: 'three', copies: null },
      { totalPages: undefined, copies: 1 },
    ],
    [{ colorPages: 0 }, { colorPages: 0 }],
    [{ totalPages: 2.7 }, { totalPages: 2 }],
  ])('%j is read as %j', (reported, read) => {
    expect(one(reported)).toMatchObject(read);
  });

  it.each([[{ copies: 1e9 }], [{ totalPages: 1e9 }], [{ totalPages: 1e300 }], [{ copies: Infinity }]])(
    '%j stays visibly absurd, so that its print is refused',
    (reported) => {
      const document = one(reported);
      expect(document && isBeyondLimits(document)).toBe(true);
      expect(document?.totalPages).toBeLessThanOrEqual(1_000_000);
      expect(document?.copies).toBeLessThanOrEqual(1_000_000);
    },
  );

  it.each([
    [0, 'one-sided'],
    [1, 'two-sided-long-edge'],
    [2, 'two-sided-short-edge'],
    [3, undefined],
    [-1, undefined],
    ['1', undefined],
    [undefined, undefined],
  ])('duplex %j is %s', (duplex, sides) => {
    expect(one({ duplex })?.sides).toBe(sides);
  });
});

describe('the time when it was sent', () => {
  it.each([
    [Date.parse('2026-01-05T08:00:00Z'), '2026-01-05T08:00:00.000Z'],
    ['2026-01-05T09:00:00+01:00', '2026-01-05T08:00:00.000Z'],
    // A clock that is a little ahead of ours.
    [Date.parse('2026-11-21T12:05:00Z'), '2026-11-21T12:05:00.000Z'],
    [Date.parse('2026-12-24T12:00:00Z'), undefined],
    // Seconds, where milliseconds belong.
    [1_763_726_280, undefined],
    [0, undefined],
    [-1, undefined],
    [1e300, undefined],
    ['yesterday', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('%j is read as %s', (dateTime, sentAt) => {
    expect(one({ dateTime })?.sentAt).toBe(sentAt);
  });
});

describe('names', () => {
  it('lose what cannot be seen and turns text around, and are cut at 255', () => {
    expect(one({ documentName: 'in\u202evoice\u0007\u200b\n.pdf' })?.name).toBe('invoice.pdf');
    expect(one({ documentName: 'pay\u061croll\u200f\u{e0041}\u{e007f}.pdf' })?.name).toBe('payroll.pdf');
    expect(one({ documentName: 'x'.repeat(65_536) })?.name).toBe('x'.repeat(255));
    expect(one({ documentName: '\u0000' })?.name).toBe('Untitled');
    expect(one({ documentName: 42 })?.name).toBe('Untitled');
  });

  it('that a screen cannot show are kept for the history record as they are', () => {
    const documentName = 'in\u202evoice\u0007.pdf';
    expect(one({ documentName })).toMatchObject({ name: 'invoice.pdf', title: documentName });
    expect(one({ documentName: 'invoice.pdf' })).not.toHaveProperty('title');
    expect(one({ documentName: '' })).not.toHaveProperty('title');
  });
});

it('whatever the entries are, what comes out can be shown, addressed and judged (G7)', () => {
  const field = fc.oneof(
    fc.anything({ maxDepth: 1 }),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.constant(0),
  );
  const wild = fc.record(
    {
      uuid: fc.oneof(field, fc.stringMatching(/^[a-z.]{1,8}$/)),
      documentName: field,
      status: field,
      totalPages: field,
      copies: field,
      duplex: field,
      dateTime: field,
      userName: field,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(wild, fc.anything())), (entries) => {
      const { documents } = readDocuments(entries, reading);
      for (const document of documents) {
        expect(document.uuid).toMatch(documentUuid);
        expect(document.uuid).toMatch(/[^.]/);
        expect(document.name.isWellFormed()).toBe(true);
        expect(document.copies).toBeGreaterThanOrEqual(1);
        expect(document.name).not.toMatch(/[\u0000-\u001f\u202a-\u202e]/);
      }
      expect(new Set(documents.map(({ uuid }) => uuid)).size).toBe(documents.length);
    }),
    { numRuns: 300 },
  );
});
