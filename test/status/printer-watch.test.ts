import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Condition } from '../../src/domain/condition.ts';
import type { PrinterDescription } from '../../src/domain/ports/printing.ts';
import { createPrinterWatch } from '../../src/status/printer-watch.ts';

const jammed: PrinterDescription = {
  ...{ ready: false, state: 'stopped', acceptingJobs: true, formats: [], mediaReady: [] },
  ...{ makeAndModel: '', firmware: '', stateReasons: ['toner-low-report', 'media-jam-error'] },
};

/** The first condition that is raised when the printer says so. */
async function conditionFor(description: PrinterDescription): Promise<Condition> {
  const over = new AbortController();
  const { promise: raised, resolve } = Promise.withResolvers<Condition>();
  const watch = createPrinterWatch({
    terminal: 'lobby',
    printer: { describe: async () => description },
    conditions: { raise: resolve, clear() {} },
    onState() {},
    progress() {},
    ...{ clock: systemClock, chance: systemChance },
  });
  const running = watch.run(over.signal);
  const condition = await raised;
  over.abort();
  await running;
  return condition;
}

it.each<[string, Partial<PrinterDescription>, string]>([
  [
    'in words of our own, with an advice, and the reasons to look up',
    {},
    'Paper is jammed in the printer. Clear the jam; the display shows where. (toner-low-report, media-jam-error)',
  ],
  ['as far as it is known', { stateReasons: ['com.example-odd'] }, 'the printer is stopped: com.example-odd'],
  ['that it accepts no jobs', { acceptingJobs: false }, 'the printer is stopped: accepts no jobs'],
])('a printer that is not ready is told %s', async (_, facts, detail) => {
  expect(await conditionFor({ ...jammed, ...facts })).toMatchObject({ code: 'printer-not-ready', detail });
});
