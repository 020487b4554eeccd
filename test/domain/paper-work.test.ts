/** What may be asked for of the paper: only what goes together with the rest of the job and with what lies in the printer. */
import { describe, expect, it } from 'vitest';
import { changeBy, isOffered, optionsOf } from '../../src/domain/document-changes.ts';
import type { WorkAbilities, WorkedOn } from '../../src/domain/printer/paper-work.ts';
import { bindsSheets, choicesFor, kindOfFinishing } from '../../src/domain/printer/paper-work.ts';
import { sampleDocument } from '../support/sample-ticket.ts';

const a4 = { width: 21_000, height: 29_700 };
const a3 = { width: 29_700, height: 42_000 };

const office: WorkAbilities = {
  choices: {
    staple: ['staple-top-left'],
    fold: ['fold-half'],
    'media-source': ['tray-1', 'tray-2', 'tray-3'],
    'media-type': ['stationery', 'cardstock'],
    'output-bin': ['top', 'lower'],
    'print-quality': ['normal'],
  },
  papers: [
    { size: a4, source: 'tray-1', type: 'stationery' },
    { size: a3, source: 'tray-2', type: 'stationery' },
    { size: a4, source: 'tray-3', type: 'cardstock' },
  ],
  constraints: [
    { finishings: ['staple-top-left', 'staple-dual-left'], 'media-type': ['cardstock'] },
    { finishings: ['fold-half'], sides: ['two-sided-long-edge', 'two-sided-short-edge'] },
    { 'output-bin': ['lower'], 'input-tray-of-tomorrow': ['x'] },
  ],
};
const job: WorkedOn = {
  sides: 'one-sided',
  isGrey: false,
  copies: 1,
  media: { name: 'iso_a4_210x297mm', size: a4 },
  work: {},
};

describe('what is offered', () => {
  it('is what the printer has for this paper, and no kind of which there is one alone', () => {
    expect(choicesFor(office, job)).toEqual({
      staple: ['staple-top-left'],
      fold: ['fold-half'],
      'media-source': ['tray-1', 'tray-3'],
      'media-type': ['stationery', 'cardstock'],
      'output-bin': ['top', 'lower'],
    });
  });

  it('is every tray where the document asks for no paper, or the trays tell none', () => {
    expect(choicesFor(office, { ...job, media: undefined })['media-source']).toHaveLength(3);
    const silent = { ...office, papers: [] };
    expect(choicesFor(silent, job)['media-source']).toHaveLength(3);
  });

  it('goes together with what was chosen before, each way round', () => {
    const stapled = choicesFor(office, { ...job, work: { staple: 'staple-top-left' } });
    expect(stapled['media-type']).toBeUndefined();
    const onCardboard = choicesFor(office, { ...job, work: { 'media-type': 'cardstock' } });
    expect(onCardboard.staple).toBeUndefined();
    expect(choicesFor(office, { ...job, sides: 'two-sided-long-edge' }).fold).toBeUndefined();
  });

  it('is not held back by a constraint of which a part is not known here', () => {
    expect(choicesFor(office, job)['output-bin']).toContain('lower');
  });

  it.each([
    ['staple', 'staple'],
    ['staple-dual-left', 'staple'],
    ['punch-quad-top', 'punch'],
    ['fold-engineering-z', 'fold'],
    ['bind-left', 'bind'],
    ['saddle-stitch', 'bind'],
    ['edge-stitch-left', 'bind'],
    ['booklet-maker', 'bind'],
    ['trim', undefined],
    ['cover', undefined],
  ] as const)('takes %s as %s', (keyword, kind) => {
    expect(kindOfFinishing(keyword)).toBe(kind);
  });

  it('knows what holds sheets together', () => {
    expect([{ staple: 'staple' }, { bind: 'booklet-maker' }, { fold: 'fold-z' }].map(bindsSheets)).toEqual([
      true,
      true,
      true,
    ]);
    expect([{ punch: 'punch' }, { 'output-bin': 'top' }, {}].map(bindsSheets)).toEqual([false, false, false]);
  });
});

describe('a change of it', () => {
  const can = { grey: true, twoSided: true, copies: 99, work: office };
  const sent = sampleDocument({ sides: 'one-sided', totalPages: 4 });
  const at = { can, monochrome: false, media: () => job.media };

  it('takes back both sides as an offer where the fold would be lost', () => {
    expect(optionsOf(sent, at)?.twoSided).toBe(true);
    expect(optionsOf(sent, at, { work: { fold: 'fold-half' } })?.twoSided).toBe(false);
  });

  it('is taken as it is offered, kept as it was, and nothing else', () => {
    const shown = { copies: 1, color: true, sides: 'one-sided', work: { 'output-bin': 'gone' } } as const;
    const view = { ...shown, options: optionsOf(sent, at) };
    expect(isOffered(view, { ...shown, work: { staple: 'staple-top-left', 'output-bin': 'gone' } })).toBe(
      true,
    );
    expect(isOffered(view, { ...shown, work: { 'output-bin': 'elsewhere' } })).toBe(false);
    expect(isOffered(view, { ...shown, work: {} })).toBe(true);
  });

  it('that is kept is made as far as the printer offers it', () => {
    const kept = {
      grey: false,
      twoSided: false,
      work: { staple: 'staple-top-left', 'output-bin': 'mailbox-9' },
    };
    expect(changeBy(kept, optionsOf(sent, at))).toEqual({ work: { staple: 'staple-top-left' } });
  });
});
