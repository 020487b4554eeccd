/** Jobs of the virtual printer that are not closed yet, and those that somebody ends all at once. */
import { expect, test } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import { attribute } from '../../src/ipp/message.ts';
import * as ipp from '../../src/ipp/values.ts';
import type { VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { ask, createJob, ended, jobState, lastDocument, userNamed } from '../support/printer/ipp-by-hand.ts';

const start = () => startVirtualPrinter({ pageTime: milliseconds(0) });
const document = samplePdf({ title: 'Report', pages: 2 });
const notLast = attribute('last-document', ipp.boolean(false));
const states = { canceled: 7, aborted: 8, completed: 9 };

/** A job with its document, which may get another one. */
async function openJob(printer: VirtualPrinter): Promise<number> {
  const jobId = await createJob(printer);
  const sent = await ask(printer, { operation: 'Send-Document', jobId, attributes: [notLast], document });
  expect(sent.status).toBe('successful-ok');
  expect(await jobState(printer, jobId)).toMatchObject({ state: 3, reasons: ['job-incoming'] });
  return jobId;
}

test.each([
  ['Send-Document without a document', { operation: 'Send-Document', attributes: [lastDocument] }],
  ['Close-Job', { operation: 'Close-Job' }],
] as const)(
  'a job whose document was not the last one is printed once it is closed by %s (RFC 8011 4.3.1)',
  async (_, closing) => {
    await using printer = await start();
    const jobId = await openJob(printer);
    expect((await ask(printer, { ...closing, jobId })).status).toBe('successful-ok');
    await ended(printer, jobId);
    expect(await jobState(printer, jobId)).toMatchObject({ state: states.completed, impressions: 2 });
    expect(printer.outputs.map(({ complete }) => complete)).toEqual([true]);
    expect((await ask(printer, { operation: 'Close-Job', jobId })).status).toBe('client-error-not-possible');
    expect(printer.deviations).toEqual([]);
  },
);

test('an open job takes no second document all the same', async () => {
  await using printer = await start();
  const jobId = await openJob(printer);
  const again = { operation: 'Send-Document', jobId, attributes: [lastDocument], document } as const;
  expect((await ask(printer, again)).status).toBe('server-error-multiple-document-jobs-not-supported');
  expect(printer.outputs).toEqual([]);
});

test('a job that is closed without a document prints nothing', async () => {
  await using printer = await start();
  const jobId = await createJob(printer);
  expect((await ask(printer, { operation: 'Close-Job', jobId })).status).toBe('successful-ok');
  expect(await jobState(printer, jobId)).toMatchObject({ state: states.aborted, impressions: 0 });
});

test('Cancel-My-Jobs ends the jobs of who asks, and of nobody else (PWG 5100.11)', async () => {
  await using printer = await start();
  const makeFor = (user: string) => createJob(printer, { attributes: [userNamed(user)] });
  const [own, other, further] = [await makeFor('alice'), await makeFor('bob'), await makeFor('alice')];
  const asAlice = (...ids: readonly number[]) => ({
    operation: 'Cancel-My-Jobs' as const,
    attributes: [
      userNamed('alice'),
      ...(ids.length > 0 ? [attribute('job-ids', ...ids.map(ipp.integer))] : []),
    ],
  });
  expect((await ask(printer, asAlice(own, other))).status).toBe('client-error-not-authorized');
  expect(await jobState(printer, own)).toMatchObject({ state: 3 });
  expect((await ask(printer, asAlice(own))).status).toBe('successful-ok');
  expect((await ask(printer, asAlice(own))).status).toBe('client-error-not-possible');
  expect((await ask(printer, asAlice(99))).status).toBe('client-error-not-found');
  expect((await ask(printer, asAlice())).status).toBe('successful-ok');
  const seen = await Promise.all(
    [own, other, further].map(async (id) => (await jobState(printer, id)).state),
  );
  expect(seen).toEqual([states.canceled, 3, states.canceled]);
});
