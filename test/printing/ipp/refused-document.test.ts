/** A document that its printer refuses: sent again only where it is certain that nothing of it was taken (I1). */
import { describe, expect, it } from 'vitest';
import type { Attribute } from '../../../src/ipp/message.ts';
import { attribute, group, string } from '../../../src/ipp/message.ts';
import type { Status } from '../../../src/ipp/registry.ts';
import * as ipp from '../../../src/ipp/values.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';
import { aDocument, openPrinter, plainPlan, virtualPrinter } from '../../support/printer/printers.ts';
import type { ScriptedAnswer } from '../../support/printer/scripted-printer.ts';
import { jobAnswer, startScriptedPrinter } from '../../support/printer/scripted-printer.ts';
import { withoutLimit } from '../../support/patience.ts';

const pending = attribute('job-state', ipp.enumValue(3));
const documents = (count: number) => attribute('number-of-documents', ipp.integer(count));
const incoming = attribute('job-state-reasons', ipp.keyword('job-incoming'));

/** Refuses a document so often, and tells of its job as it is told to. */
async function refusing(
  status: Status,
  { times = 1, tells = [] }: { times?: number; tells?: readonly Attribute[] } = {},
) {
  const sent: (string | undefined)[] = [];
  const uri = await startScriptedPrinter((request, operation): ScriptedAnswer => {
    if (operation === 'Get-Job-Attributes') return jobAnswer(pending, ...tells);
    if (operation === 'Get-Jobs') return tells.length > 0 ? jobAnswer(...tells) : {};
    if (operation !== 'Send-Document' && operation !== 'Print-Job') return jobAnswer();
    sent.push(string(group(request, 'operation-attributes'), 'document-name'));
    if (sent.length > times) return jobAnswer();
    const refused = { tag: 'unsupported-attributes' as const, attributes: [name] };
    return status === 'client-error-attributes-or-values-not-supported'
      ? { status, groups: [refused] }
      : { status };
  });
  const time = createVirtualTime();
  const { printer } = openPrinter(uri, { clock: time.clock() });
  const job = await time.until(printer.createJob(plainPlan, withoutLimit()));
  const document = await aDocument();
  const send = () => time.until(printer.send(job, plainPlan, document, withoutLimit()));
  const printAtOnce = () =>
    time.until(printer.print({ ...plainPlan, inOneStep: true }, document, withoutLimit()));
  return { sent, send, printAtOnce };
}
const name = attribute('document-name', ipp.noValue);

describe('a document that is refused', () => {
  it.each([
    ['tells that it has no document', [documents(0)]],
    ['tells that it waits for its document', [incoming]],
  ])('as busy is sent again to a job that %s', async (_, tells) => {
    const { sent, send } = await refusing('server-error-busy', { times: 2, tells });
    await send();
    expect(sent).toHaveLength(3);
  });

  it('as busy is not sent again to a job that has one: it may be printed (apple/cups#4073)', async () => {
    const { sent, send } = await refusing('server-error-busy', { tells: [documents(1)] });
    await expect(send()).rejects.toMatchObject({ code: 'printer-busy', delivery: 'perhaps' });
    expect(sent).toHaveLength(1);
  });

  it('as busy is not sent again to a job of which nothing is told', async () => {
    const { sent, send } = await refusing('server-error-busy');
    await expect(send()).rejects.toMatchObject({ code: 'printer-busy', delivery: 'perhaps' });
    expect(sent).toHaveLength(1);
  });

  it('as busy, again and again, is sent four times at most', async () => {
    const { sent, send } = await refusing('server-error-busy', { times: 99, tells: [documents(0)] });
    await expect(send()).rejects.toMatchObject({ code: 'printer-busy', delivery: 'answered' });
    expect(sent).toHaveLength(4);
  });

  it('for its name is sent once more, without it', async () => {
    const { sent, send } = await refusing('client-error-attributes-or-values-not-supported', {
      tells: [documents(0)],
    });
    await send();
    expect(sent).toEqual(['Report.pdf', undefined]);
  });

  it('while it is read was perhaps printed in part', async () => {
    const { sent, send } = await refusing('client-error-document-format-error');
    await expect(send()).rejects.toMatchObject({ code: 'document-not-printable', delivery: 'perhaps' });
    expect(sent).toHaveLength(1);
  });

  it('with the request that was to make its job was not taken where the printer lists no such job', async () => {
    const { printAtOnce, sent } = await refusing('server-error-busy');
    await expect(printAtOnce()).rejects.toMatchObject({ code: 'printer-busy', delivery: 'answered' });
    expect(sent).toHaveLength(1);
  });

  it('and whose job is listed all the same, is not', async () => {
    const { printAtOnce, sent } = await refusing('server-error-busy', { tells: [documents(1)] });
    await expect(printAtOnce()).rejects.toMatchObject({ code: 'printer-busy', delivery: 'perhaps' });
    expect(sent).toHaveLength(1);
  });

  it('comes out once from a printer that refuses it twice before it reads it', async () => {
    const time = createVirtualTime();
    const peer = await virtualPrinter({ habits: ['busy-at-send=2'], clock: time.clock() });
    const { printer } = openPrinter(peer.uri, { clock: time.clock() });
    const job = await time.until(printer.createJob(plainPlan, withoutLimit()));
    await time.until(printer.send(job, plainPlan, await aDocument(), withoutLimit()));
    await time.until(printer.follow(job, withoutLimit()));
    expect(peer.outputs).toMatchObject([{ complete: true }]);
  });
});
