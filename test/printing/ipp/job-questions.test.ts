/** Whether a printer can be asked about its jobs, found out without one. */
import { expect, it } from 'vitest';
import { group, integer } from '../../../src/ipp/message.ts';
import type { Operation, Status } from '../../../src/ipp/registry.ts';
import { openPrinter, virtualPrinter } from '../../support/printer/printers.ts';
import { idlePrinter, startScriptedPrinter } from '../../support/printer/scripted-printer.ts';
import { withoutLimit } from '../../support/patience.ts';

interface Question {
  readonly operation: Operation | undefined;
  readonly jobId: number | undefined;
}

async function printerThatAnswers(answers: { readonly job: Status; readonly list: Status }) {
  const asked: Question[] = [];
  const uri = await startScriptedPrinter((request, operation) => {
    if (operation === 'Get-Printer-Attributes') return idlePrinter();
    asked.push({ operation, jobId: integer(group(request, 'operation-attributes'), 'job-id') });
    return { status: operation === 'Get-Jobs' ? answers.list : answers.job };
  });
  return { ...openPrinter(uri), asked };
}

it.each<[string, Status, string, Status, string]>([
  ['does not know the job', 'client-error-not-found', 'answers', 'successful-ok', 'answers'],
  ['has forgotten the job', 'client-error-gone', 'answers', 'successful-ok', 'answers'],
  [
    'refuses as Ricoh does',
    'client-error-bad-request',
    'client-error-bad-request',
    'successful-ok',
    'answers',
  ],
  [
    'refuses both',
    'client-error-not-authorized',
    'client-error-not-authorized',
    'server-error-operation-not-supported',
    'server-error-operation-not-supported',
  ],
  [
    'lists none, as RISO',
    'client-error-not-found',
    'answers',
    'client-error-not-found',
    'client-error-not-found',
  ],
  ['is busy', 'server-error-busy', 'unknown', 'server-error-temporary-error', 'unknown'],
])('a printer that %s', async (_, job, ofJob, list, ofList) => {
  const { printer, asked } = await printerThatAnswers({ job, list });
  const { jobQuestions } = await printer.describe({ ...withoutLimit(), alsoAboutJobs: true });
  expect(jobQuestions).toEqual({ job: ofJob, list: ofList });
  expect(asked).toContainEqual({ operation: 'Get-Job-Attributes', jobId: 2_147_483_647 });
});

it('a printer is not asked unless somebody wants to know', async () => {
  const { printer, asked } = await printerThatAnswers({
    job: 'client-error-not-found',
    list: 'successful-ok',
  });
  expect(await printer.describe(withoutLimit())).not.toHaveProperty('jobQuestions');
  expect(asked).toEqual([]);
});

it('a printer as the standard has it answers both, and makes nothing of it', async () => {
  const peer = await virtualPrinter();
  const { printer } = openPrinter(peer.uri);
  const { jobQuestions } = await printer.describe({ ...withoutLimit(), alsoAboutJobs: true });
  expect(jobQuestions).toEqual({ job: 'answers', list: 'answers' });
  expect([peer.deviations, peer.outputs]).toEqual([[], []]);
});
