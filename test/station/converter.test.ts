/** What a terminal says of a converter that is not there. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Condition } from '../../src/domain/condition.ts';
import type { Converter } from '../../src/domain/ports/printing.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { PageHandling } from '../../src/printing/conversion/conversion-plan.ts';
import type { OutputType } from '../../src/domain/output-port.ts';
import { createStationConverter } from '../../src/station/converter.ts';
import { conversion } from '../support/printer/conversion-samples.ts';
import { pdfOf, spooled } from '../support/printer/samples.ts';
import { recordLog } from '../support/recorded-log.ts';
import { withoutLimit } from '../support/patience.ts';

const missing = () => new Problem('converter-missing', 'the program gs is not there');

interface Bench {
  readonly handling?: Partial<PageHandling>;
  readonly isDemanded?: boolean;
  readonly outputType?: OutputType;
  readonly confinement?: 'namespaces' | 'limits';
}

function bench({
  handling,
  isDemanded = false,
  outputType = 'auto',
  confinement = 'namespaces',
}: Bench = {}) {
  const raised = new Map<string, Condition>();
  const log = recordLog();
  const state = { isThere: false, looks: 0 };
  const there = <Answer>(answer: Answer) => {
    state.looks += 1;
    return state.isThere ? Promise.resolve(answer) : Promise.reject(missing());
  };
  const converter: Converter = {
    convert: (document) => there(document),
    examine: () => there(confinement),
  };
  const stationConverter = createStationConverter({
    terminal: 'lobby',
    subject: 'converter',
    converter,
    handling: { softwareCopies: false, reversed: false, ...handling },
    isDemanded: () => isDemanded,
    outputType,
    conditions: {
      raise: (condition) => void raised.set(`${condition.scope} ${condition.subject}`, condition),
      clear: (scope, subject) => void raised.delete(`${scope} ${subject}`),
    },
    log: log.log,
  });
  onTestFinished(() => stationConverter[Symbol.asyncDispose]());
  stationConverter.look();
  return {
    state,
    log,
    converter: stationConverter,
    codes: () => [...raised.values()].map(({ code }) => code),
  };
}

describe('a terminal without a converter', () => {
  it.each<[string, Bench]>([
    ['copies are made in software', { handling: { softwareCopies: true } }],
    ['the finisher turns the stack', { handling: { reversed: true } }],
    ['everything is to be PCL XL', { outputType: 'pcl6' }],
  ])('says so at its start where %s, and no longer when it is there', async (_, given) => {
    const { converter, state, codes } = bench(given);
    await expect.poll(codes).toEqual(['converter-missing']);
    state.isThere = true;
    converter.look();
    await expect.poll(codes).toEqual([]);
  });

  it.each([
    { who: 'the service alone', isDemanded: false },
    { who: 'the configuration', isDemanded: true },
  ])(
    'where $who asks for order and copies, they are still asked for: $isDemanded',
    async ({ isDemanded }) => {
      const { converter, state, codes } = bench({
        handling: { softwareCopies: true, reversed: true },
        isDemanded,
      });
      await expect.poll(codes).toEqual(['converter-missing']);
      expect(converter.handling).toMatchObject({ softwareCopies: isDemanded, reversed: isDemanded });
      state.isThere = true;
      converter.look();
      await expect.poll(codes).toEqual([]);
      expect(converter.handling).toMatchObject({ softwareCopies: true, reversed: true });
    },
  );

  it('says so when the first document needs it, and no longer when one was converted', async () => {
    const { converter, state, codes } = bench();
    expect([codes(), state.looks]).toEqual([[], 0]);
    const document = await spooled(pdfOf(100));
    await expect(converter.convert(document, conversion(), withoutLimit())).rejects.toMatchObject({
      code: 'converter-missing',
    });
    expect(codes()).toEqual(['converter-missing']);
    state.isThere = true;
    await converter.convert(document, conversion(), withoutLimit());
    expect(codes()).toEqual([]);
  });
});

it('a converter that is not in namespaces is told of in the log', async () => {
  const { state, converter, log } = bench({ handling: { reversed: true }, confinement: 'limits' });
  state.isThere = true;
  converter.look();
  await expect.poll(() => log.records('converter not in namespaces')).toHaveLength(1);
});
