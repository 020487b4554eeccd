/**
 * Work on paper, from what a printer lists to what it is asked for: five hundred jobs of people who choose at random
 * among what is offered to them. The printer's own rules judge.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PaperWork, WorkedOn } from '../../../src/domain/printer/paper-work.ts';
import {
  bindsSheets,
  choicesFor,
  finishingsOf,
  isPossible,
  workKinds,
} from '../../../src/domain/printer/paper-work.ts';
import type { Sides } from '../../../src/domain/document.ts';
import type { Attribute } from '../../../src/ipp/message.ts';
import { attribute, collections, integers, string } from '../../../src/ipp/message.ts';
import { finishingName } from '../../../src/ipp/registry.ts';
import { collection, enumValue, keyword, rangeOfInteger } from '../../../src/ipp/values.ts';
import { asTheyCome } from '../../../src/printing/conversion/conversion-plan.ts';
import { formats } from '../../../src/printing/document-format.ts';
import { planJob } from '../../../src/printing/ipp/job/job-plan.ts';
import { printerAttributes } from '../../../src/printing/ipp/printer/printer-attributes.ts';
import { mediaDimensions, mediaName } from '../../../src/printing/media.ts';
import { conflictingIn, finisher } from '../../../src/simulator/printer/finisher.ts';
import { idlePrinter } from '../../support/printer/scripted-printer.ts';
import { sampleDocument, sampleTicket } from '../../support/sample-ticket.ts';

function printerWith(...attributes: readonly Attribute[]) {
  const { groups = [] } = idlePrinter(...attributes);
  return printerAttributes({ version: [2, 0], code: 0, requestId: 1, groups });
}

const office = [
  ...finisher,
  attribute('copies-supported', rangeOfInteger(1, 99)),
  attribute('media-col-supported', ...['media-size', 'media-source', 'media-type'].map(keyword)),
  attribute('sides-supported', ...['one-sided', 'two-sided-long-edge', 'two-sided-short-edge'].map(keyword)),
  attribute('multiple-document-handling-supported', keyword('separate-documents-collated-copies')),
];
const collated = 'separate-documents-collated-copies';
const abilities = printerWith(...office).capabilities?.work;

it('loses no choice, mixes no sets, and asks for nothing that the printer forbids, in 500 jobs', () => {
  const person = fc.record({
    sides: fc.constantFrom<Sides>('one-sided', 'two-sided-long-edge', 'two-sided-short-edge'),
    paperSize: fc.constantFrom('A4', 'A3', 'Letter', undefined),
    copies: fc.integer({ min: 1, max: 9 }),
    softwareCopies: fc.boolean(),
    // For each kind, which of the values that are offered then; the last number is: none.
    picks: fc.array(fc.nat({ max: 5 }), { minLength: workKinds.length, maxLength: workKinds.length }),
  });
  fc.assert(
    fc.property(person, ({ sides, paperSize, copies, softwareCopies, picks }) => {
      const media = mediaName(paperSize ?? '');
      const job: WorkedOn = {
        sides,
        isGrey: false,
        copies,
        media: media === undefined ? undefined : { name: media, size: mediaDimensions(media) },
        work: {},
      };
      if (abilities === undefined) throw new Error('the printer offers nothing');
      const work = workKinds.reduce<PaperWork>((chosen, kind, at) => {
        const value = choicesFor(abilities, { ...job, work: chosen })[kind]?.[picks[at] ?? 0];
        return value === undefined ? chosen : { ...chosen, [kind]: value };
      }, {});
      expect(isPossible(abilities, { ...job, work })).toBe(true);
      const ticket = sampleTicket(sampleDocument({ sides, paperSize, copies, totalPages: 4 }), {
        changed: { work },
      });
      const handling = { ...asTheyCome, softwareCopies };
      const { job: asked, conversion } = planJob(ticket, { format: formats.pdf }, printerWith(...office), {
        outputType: 'auto',
        handling,
      });

      expect(conflictingIn(asked)).toEqual([]);
      expect(integers(asked, 'finishings').map((number) => finishingName(number))).toEqual(
        finishingsOf(work),
      );
      expect(string(asked, 'output-bin')).toBe(work['output-bin']);
      const [paper = []] = collections(asked, 'media-col');
      expect(string(paper, 'media-source')).toBe(work['media-source']);
      expect(string(paper, 'media-type')).toBe(work['media-type']);
      const isSets = bindsSheets(work) && copies > 1;
      expect(isSets ? (conversion?.copies ?? 1) : 1).toBe(1);
      expect(isSets ? integers(asked, 'copies')[0] : copies).toBe(copies);
      expect(isSets ? string(asked, 'multiple-document-handling') : collated).toBe(collated);
    }),
    { numRuns: 500 },
  );
});

it('is refused where the printer cannot make the copies as sets: one staple would go through all', () => {
  const once = printerWith(...finisher, attribute('copies-supported', rangeOfInteger(1, 1)));
  const ticket = sampleTicket(sampleDocument({ copies: 3, totalPages: 4 }), {
    changed: { work: { staple: 'staple-top-left' } },
  });
  expect(() =>
    planJob(ticket, { format: formats.pdf }, once, { outputType: 'auto', handling: asTheyCome }),
  ).toThrow(expect.objectContaining({ code: 'printer-refused-job', reasons: ['copies'] }));
});

it.each<[string, readonly Attribute[], object]>([
  [
    'bare words of old printers',
    [attribute('finishings-supported', ...[3, 4, 5].map(enumValue))],
    { staple: ['staple'], punch: ['punch'] },
  ],
  [
    'what is ready, though more is supported',
    [
      attribute('finishings-supported', ...[3, 20, 93].map(enumValue)),
      attribute('finishings-ready', ...[3, 93].map(enumValue)),
    ],
    { fold: ['fold-half'] },
  ],
  ['nothing of its maker’s own', [attribute('finishings-supported', enumValue(1073741824))], {}],
  [
    'no member of media-col that it does not take',
    [attribute('media-col-ready', collection([attribute('media-source', keyword('tray-9'))]))],
    { 'media-source': [] },
  ],
  [
    'no tray and no bin whose name is no keyword: it would have to be asked for as a name, and shown as it is',
    [
      attribute('output-bin-supported', keyword('top'), keyword('Bin\u202e of\u0007 nobody'), keyword('')),
      attribute('media-col-supported', keyword('media-source')),
      attribute('media-col-ready', collection([attribute('media-source', keyword('<img src=x>'))])),
    ],
    { 'output-bin': ['top'], 'media-source': [] },
  ],
])('offers %s', (_, attributes, choices) => {
  expect(printerWith(...attributes).capabilities?.work?.choices).toMatchObject(choices);
});
