import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobEvidence, Sent } from '../../src/domain/printer/job-verdict.ts';
import { isShort, verdictOn, verdicts } from '../../src/domain/printer/job-verdict.ts';
import type { EndState, JobReport } from '../../src/domain/release.ts';
import { outcomeOf } from '../../src/domain/release.ts';

const fivePages = { pages: 5, copies: 1, sides: 'one-sided' } as const;
const proven = { isProvenCounter: true };

function report(
  state: JobReport['state'],
  [impressions, sheets]: readonly (number | undefined)[] = [],
  more: Partial<JobReport> = {},
): JobReport {
  return {
    state,
    reasons: [],
    ...(impressions === undefined ? {} : { impressionsCompleted: impressions }),
    ...(sheets === undefined ? {} : { sheetsCompleted: sheets }),
    ...more,
  };
}
const because = (...reasons: readonly string[]) => ({ reasons });

type Case = readonly [what: string, sent: Sent, said: JobReport | undefined, state: EndState];

/** For each row of the table, in its order: what it decides. */
const cases: readonly (readonly Case[])[] = [
  [
    ['nothing was sent', 'none', undefined, 'NOOUTPUT'],
    ['nothing was sent, whatever the printer says', 'none', report('completed', [1, 1]), 'NOOUTPUT'],
  ],
  [['refused, and a page came', 'refused', report('canceled', [1, 1]), 'PARTIAL']],
  [['refused, and called completed', 'refused', report('completed'), 'UNKNOWN']],
  [
    ['refused, and the empty job is canceled', 'refused', report('canceled', [0]), 'NOOUTPUT'],
    ['refused, and the job is gone', 'refused', undefined, 'NOOUTPUT'],
  ],
  [['broken off, pages came', 'some', report('canceled', [1, 1]), 'PARTIAL']],
  [
    ['broken off, canceled with counters of 0', 'some', report('canceled', [0, 0], proven), 'UNKNOWN'],
    ['broken off, called completed', 'some', report('completed', [0, 0]), 'UNKNOWN'],
    ['broken off, the printer cannot say', 'some', undefined, 'UNKNOWN'],
    ['broken off, and let go of', 'some', report('processing', [], { letGo: 'forgotten' }), 'UNKNOWN'],
  ],
  [['sent by another, and every page of it counted', 'unseen', report('completed', [5, 5]), 'CONFIRMED']],
  [
    [
      'sent by another, and pages counted of what was given up',
      'unseen',
      report('canceled', [2, 2]),
      'PARTIAL',
    ],
    ['sent by another, and not all pages counted', 'unseen', report('completed', [3]), 'PARTIAL'],
  ],
  [
    ['sent by another, given up, and a 0 that counts', 'unseen', report('canceled', [0], proven), 'NOOUTPUT'],
    ['sent by another, never begun', 'unseen', report('aborted', [], { hasBegun: false }), 'NOOUTPUT'],
  ],
  [
    ['sent by another, given up, and a 0 of no account', 'unseen', report('canceled', [0]), 'UNKNOWN'],
    ['sent by another, and completed without a count', 'unseen', report('completed'), 'UNKNOWN'],
    ['sent by another, and the printer cannot say', 'unseen', undefined, 'UNKNOWN'],
  ],
  [
    [
      'forgotten by a printer at rest',
      'all',
      report('processing', [], { letGo: 'forgotten' }),
      'HANDED-OVER',
    ],
    [
      'taken by a printer that tells nothing',
      'all',
      report('pending', [], { letGo: 'not-told' }),
      'HANDED-OVER',
    ],
  ],
  [
    ['the printer cannot say', 'all', undefined, 'UNKNOWN'],
    ['still processing', 'all', report('processing', [1, 1]), 'UNKNOWN'],
    ['still stopped', 'all', report('processing-stopped'), 'UNKNOWN'],
  ],
  [
    [
      'passed on to the device',
      'all',
      report('completed', [5, 5], because('queued-in-device')),
      'HANDED-OVER',
    ],
  ],
  [
    [
      'completed with errors after pages',
      'all',
      report('completed', [5, 5], because('job-completed-with-errors')),
      'PARTIAL',
    ],
    [
      'completed and aborted at once',
      'all',
      report('completed', [2], because('aborted-by-system')),
      'PARTIAL',
    ],
  ],
  [
    [
      'unprintable, and a printer that counts has counted nothing',
      'all',
      report('completed', [0, 0], { ...because('document-unprintable-error'), ...proven }),
      'NOOUTPUT',
    ],
  ],
  [
    [
      'unprintable, of a printer whose 0 says nothing',
      'all',
      report('completed', [0, 0], because('document-unprintable-error')),
      'UNKNOWN',
    ],
    [
      'completed though canceled at the device',
      'all',
      report('completed', [], because('job-canceled-at-device')),
      'UNKNOWN',
    ],
    [
      'completed, and its last sheet is on its way',
      'all',
      report('completed', [], because('processing-to-stop-point')),
      'UNKNOWN',
    ],
  ],
  [['five pages are one document to it', 'all', report('completed', [1], { impressions: 1 }), 'HANDED-OVER']],
  [
    ['one of five pages', 'all', report('completed', [1, 1]), 'PARTIAL'],
    ['one of five that it expected', 'all', report('completed', [1], { impressions: 5 }), 'PARTIAL'],
    ['four of five sheets', 'all', report('completed', [undefined, 4]), 'PARTIAL'],
  ],
  [['none of five pages, of a printer that counts', 'all', report('completed', [0, 0], proven), 'UNKNOWN']],
  [
    ['completed', 'all', report('completed', [5, 5]), 'CONFIRMED'],
    ['completed by a printer that tells no counters', 'all', report('completed'), 'CONFIRMED'],
    ['completed by a printer whose counters stay 0', 'all', report('completed', [0, 0]), 'CONFIRMED'],
    [
      'completed with warnings',
      'all',
      report('completed', [5], because('job-completed-with-warnings')),
      'CONFIRMED',
    ],
  ],
  [['aborted after pages', 'all', report('aborted', [2, 1]), 'PARTIAL']],
  [
    [
      'given up by a spooler before it was begun',
      'all',
      report('canceled', [], { hasBegun: false }),
      'NOOUTPUT',
    ],
  ],
  [
    [
      'aborted, and a printer that counts has counted nothing',
      'all',
      report('aborted', [0, 0], proven),
      'NOOUTPUT',
    ],
    ['canceled, and the one counter it has is 0', 'all', report('canceled', [0], proven), 'NOOUTPUT'],
  ],
  [
    ['aborted with counters of 0 that say nothing', 'all', report('aborted', [0, 0]), 'UNKNOWN'],
    ['aborted without counters', 'all', report('aborted'), 'UNKNOWN'],
    [
      'canceled with counters of 0, and a sheet still in its path',
      'all',
      report('canceled', [0, 0], { ...because('processing-to-stop-point'), ...proven }),
      'UNKNOWN',
    ],
    [
      'aborted by one that counted once and tells nothing now',
      'all',
      report('aborted', [], proven),
      'UNKNOWN',
    ],
  ],
];

describe('the table of verdicts (B.1 and its second edition)', () => {
  it('has a case for every row', () => {
    expect(cases).toHaveLength(verdicts.length);
  });

  const all = cases.flatMap((ofRow, index) =>
    ofRow.map(([what, sent, said, state]) => ({ what, sent, said, state, row: verdicts[index]?.when ?? '' })),
  );
  it.each(all)('$what → $state', ({ sent, said, state, row }) => {
    const evidence: JobEvidence = { sent, report: said, expected: { ...fivePages, sides: undefined } };
    const decides = verdicts.find(({ applies }) => applies(evidence));
    expect(decides).toMatchObject({ when: row, state });
    expect(verdictOn(evidence)).toBe(state);
  });

  const anyReport = fc.record({
    state: fc.constantFrom<JobReport['state']>('pending', 'processing', 'canceled', 'aborted', 'completed'),
    reasons: fc.subarray(['aborted-by-system', 'job-completed-with-errors', 'queued-in-device', 'none']),
    impressionsCompleted: fc.nat(9),
    sheetsCompleted: fc.nat(9),
    isProvenCounter: fc.boolean(),
  });

  it('never calls a transfer that broke off completed or failed (contract, section 3)', () => {
    fc.assert(
      fc.property(anyReport, (said) => {
        const state = verdictOn({ sent: 'some', report: said, expected: fivePages });
        expect(outcomeOf[state]).toBe('unknown');
      }),
    );
  });

  it('says that nothing came out only where nothing was sent, or a proven counter says 0 (I1)', () => {
    fc.assert(
      fc.property(anyReport, (said) => {
        const state = verdictOn({ sent: 'all', report: said, expected: fivePages });
        const mayBeNothing =
          said.isProvenCounter && said.impressionsCompleted === 0 && said.sheetsCompleted === 0;
        expect(state === 'NOOUTPUT' && !mayBeNothing).toBe(false);
      }),
    );
  });
});

describe('fewer pages than the document has', () => {
  const counted = (impressions?: number, sheets?: number) => report('completed', [impressions, sheets]);
  const duplex = { pages: 5, copies: 2, sides: 'two-sided-long-edge' } as const;
  const twice = { ...fivePages, copies: 2 };
  it.each([
    ['all', counted(5, 5), fivePages, false],
    ['more, as covers and separators are counted too', counted(7), fivePages, false],
    ['one missing', counted(4), fivePages, true],
    ['both copies', counted(10), twice, false],
    ['both copies, counted as one (RFC 8011 section 5.3.17.2)', counted(5), twice, false],
    ['one copy and a half', counted(7), twice, true],
    ['both sides', counted(10, 6), duplex, false],
    ['sheets under the name of impressions', counted(6, 6), duplex, false],
    ['sheets under the name of impressions, and no counter of sheets', counted(6), duplex, false],
    ['impressions missing where sheets tell them apart', counted(6, 3), duplex, true],
    ['sheets alone', counted(undefined, 6), duplex, false],
    ['sheets alone, one missing', counted(undefined, 2), duplex, true],
    ['nothing counted is no count', counted(0, 0), fivePages, false],
    ['nothing is known of the pages', counted(1), undefined, false],
  ])('%s', (_what, said, expected, short) => {
    expect(isShort({ report: said, expected })).toBe(short);
  });
});
