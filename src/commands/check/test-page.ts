/** `platen check --print-test-page`: prints one page at the printer of one terminal, and tells the result. */
import { systemChance } from '../../core/chance.ts';
import { isoWithOffset, systemClock } from '../../core/clock.ts';
import type { Printer } from '../../domain/ports/printing.ts';
import { outcomeOf } from '../../domain/release.ts';
import type { Examination, Step } from './examination.ts';
import { openConverter } from './converter.ts';
import type { Place } from '../opened-printer.ts';
import { addressUnknown, openPrinter } from '../opened-printer.ts';
import { testPagePdf } from '../test-page/pdf.ts';
import type { TestPageEnd } from '../test-page/test-page.ts';
import { printTestPage } from '../test-page/test-page.ts';

export function examineTestPage(place: Place): Step {
  const { config, terminal, io } = place;
  const print: Examination = async () => {
    await using opened = await openPrinter(place);
    if (!opened) throw new Error(addressUnknown);
    await using converter = await openConverter(config);
    const { printer } = opened;
    const time = isoWithOffset(systemClock.now());
    const pdf = testPagePdf({ terminal: terminal.id, printer: printer.uri, time });
    const end = await printTestPage(
      { printer, pdf, terminal: terminal.id },
      { converter, clock: systemClock, chance: systemChance },
      { signal: io.stop },
    );
    const isOut = outcomeOf[end.state] === 'completed';
    return { state: isOut ? 'ok' : 'failed', detail: endInWords(end, printer), facts: factsOf(end) };
  };
  const { id } = terminal;
  return { what: `test page at ${id}`, kind: 'test page', scope: id, examine: print, limit: 'own' };
}

function endInWords({ state, jobId, report, problem }: TestPageEnd, printer: Printer): string {
  const job = jobId === undefined ? '' : ` as job ${jobId}`;
  const why = problem ? `: ${problem.message}. ${problem.advice}` : '';
  switch (state) {
    case 'CONFIRMED': {
      const who = printer.kind === 'jobs' && printer.confirms === 'spooler' ? 'the spooler' : 'the printer';
      return `printed${job}; ${who} confirmed it, and it ${countInWords(report)}`;
    }
    case 'HANDED-OVER':
      return 'sent: the printer accepted the whole page, but nothing confirms the print. Look at the tray';
    case 'NOOUTPUT':
      return `not printed${job}${why || `: the printer reports the job as ${report?.state}`}`;
    default:
      return `nobody knows whether it was printed${job}. Look at the tray${why}`;
  }
}

function countInWords(report: TestPageEnd['report']): string {
  const { impressionsCompleted: pages = 0, sheetsCompleted: sheets = 0 } = report ?? {};
  if (pages > 0) return `counted ${pages} ${pages === 1 ? 'page' : 'pages'}`;
  return sheets > 0 ? `counted ${sheets} ${sheets === 1 ? 'sheet' : 'sheets'}` : 'does not count pages';
}

const factsOf = ({ state, jobId, report, problem }: TestPageEnd) => ({
  state,
  outcome: outcomeOf[state],
  jobId: jobId ?? null,
  impressionsCompleted: report?.impressionsCompleted ?? null,
  sheetsCompleted: report?.sheetsCompleted ?? null,
  code: problem?.code ?? null,
});
