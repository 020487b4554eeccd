import { describe, expect, it, vi } from 'vitest';
import { encodeMessage } from '../../src/ipp/encode.ts';
import { attribute } from '../../src/ipp/message.ts';
import { enumValue, keyword } from '../../src/ipp/values.ts';
import type { PrinterBehaviour } from '../../src/simulator/printer/behaviour.ts';
import { impatientClock, openPrinter, sendTo, virtualPrinter } from '../support/printer/printers.ts';
import { pdfOf } from '../support/printer/samples.ts';
import type { Script } from '../support/printer/scripted-printer.ts';
import {
  idlePrinter,
  jobAnswer,
  startHttp,
  startScriptedPrinter,
} from '../support/printer/scripted-printer.ts';
import { withoutLimit } from '../support/patience.ts';

const oneAnswer = encodeMessage({ version: [2, 0], code: 0, requestId: 1, groups: [] });

describe('an answer that makes no sense (B.4, 7 Print)', () => {
  it.each<[string, PrinterBehaviour, object]>([
    ['garbage', { kind: 'garbage' }, { code: 'printer-protocol', delivery: 'perhaps' }],
    ['another request-id', { kind: 'wrong-request-id' }, { code: 'printer-protocol', delivery: 'perhaps' }],
    ['HTTP 401', { kind: 'http', status: 401 }, { code: 'printer-denied', status: 401 }],
    ['HTTP 403', { kind: 'http', status: 403 }, { code: 'printer-denied', status: 403 }],
    ['HTTP 404', { kind: 'http', status: 404 }, { code: 'printer-path-unknown', delivery: 'answered' }],
    ['HTTP 426', { kind: 'http', status: 426 }, { code: 'printer-tls-wanted', status: 426 }],
    ['HTTP 500', { kind: 'http', status: 500 }, { code: 'printer-protocol', delivery: 'perhaps' }],
    ['HTTP 503', { kind: 'http', status: 503 }, { code: 'printer-busy', delivery: 'answered' }],
  ])('%s is a problem, not an answer', async (_, behaviour, problem) => {
    const peer = await virtualPrinter();
    await peer.behave(behaviour);
    await expect(openPrinter(peer.uri).printer.describe(withoutLimit())).rejects.toMatchObject(problem);
  });

  it.each<[string, Parameters<typeof startHttp>[0], string]>([
    [
      'a page of HTML',
      (_, response) => response.setHeader('content-type', 'text/html').end('<html>'),
      'printer-no-ipp',
    ],
    [
      'more than 4 MiB (T14)',
      (_, response) =>
        response.setHeader('content-type', 'application/ipp').end(Buffer.alloc(5 * 1024 * 1024)),
      'printer-protocol',
    ],
    [
      'another major version',
      (_, response) =>
        response.setHeader('content-type', 'application/ipp').end(Buffer.from([9, ...oneAnswer.subarray(1)])),
      'printer-protocol',
    ],
    [
      'an answer cut short',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/ipp', 'content-length': 100 });
        response.write(oneAnswer, () => response.destroy());
      },
      'printer-unreachable',
    ],
    [
      'the 15 octets that send other decoders round for ever',
      (_, response) =>
        response
          .setHeader('content-type', 'application/ipp')
          .end(Buffer.from('02000000000000010144000000fffb03'.slice(0, 30), 'hex')),
      'printer-protocol',
    ],
  ])('%s is a problem, not an answer', async (_, handle, code) => {
    const uri = await startHttp(handle);
    await expect(openPrinter(uri).printer.describe(withoutLimit())).rejects.toMatchObject({ code });
  });

  it('is not looked for elsewhere: a redirect is not followed (I10)', async () => {
    const elsewhere = vi.fn<() => void>();
    const canary = await startHttp(elsewhere);
    const uri = await startHttp((_, response) =>
      response.writeHead(307, { location: canary.replace('ipp:', 'http:') }).end(),
    );
    await expect(openPrinter(uri).printer.describe(withoutLimit())).rejects.toMatchObject({
      code: 'printer-moved',
      status: 307,
    });
    expect(elsewhere).not.toHaveBeenCalled();
  });

  it('comes in time, or the printer is unreachable', async () => {
    const peer = await virtualPrinter();
    await peer.behave({ kind: 'never-answer' });
    const { printer } = openPrinter(peer.uri, { clock: impatientClock });
    await expect(printer.describe(withoutLimit())).rejects.toMatchObject({
      code: 'printer-unreachable',
      delivery: 'perhaps',
      cause: { name: 'TimeoutError' },
    });
  });
});

describe('what a printer says of itself', () => {
  const describePrinter = async (script: Script) =>
    openPrinter(await startScriptedPrinter(script)).printer.describe(withoutLimit());

  it('is asked in IPP/2.0, and in 1.1 where that is refused', async () => {
    const asked: string[] = [];
    const { printer } = openPrinter(
      await startScriptedPrinter(({ version }) => {
        asked.push(version.join('.'));
        return version[0] === 2 ? { status: 'server-error-version-not-supported' } : idlePrinter();
      }),
    );
    await printer.describe(withoutLimit());
    await printer.describe(withoutLimit());
    expect(asked).toEqual(['2.0', '1.1', '1.1']);
  });

  it('is asked in IPP/1.1 from then on when it lists no other', async () => {
    const asked: string[] = [];
    const { printer } = openPrinter(
      await startScriptedPrinter(({ version }) => {
        asked.push(version.join('.'));
        return idlePrinter(attribute('ipp-versions-supported', keyword('1.0'), keyword('1.1')));
      }),
    );
    await printer.describe(withoutLimit());
    await printer.describe(withoutLimit());
    expect(asked).toEqual(['2.0', '1.1']);
  });

  it('of IPP/1.1 alone prints all the same, every request in its version', async () => {
    const printed: (readonly [string | undefined, string])[] = [];
    const uri = await startScriptedPrinter(({ version }, operation) => {
      if (version[0] === 2) return { status: 'server-error-version-not-supported' };
      printed.push([operation, version.join('.')]);
      return operation === 'Get-Printer-Attributes' ? idlePrinter() : jobAnswer();
    });
    await sendTo(openPrinter(uri), pdfOf(5000));
    expect(printed.slice(0, 4)).toEqual(
      ['Get-Printer-Attributes', 'Validate-Job', 'Create-Job', 'Send-Document'].map((one) => [one, '1.1']),
    );
  });

  it('makes a stopped printer not ready, in its own words', async () => {
    const stopped = () =>
      idlePrinter(
        attribute('printer-state', enumValue(5)),
        attribute('printer-state-reasons', keyword('cover-open-error'), keyword('toner-low-warning')),
      );
    expect(await describePrinter(stopped)).toMatchObject({
      ready: false,
      state: 'stopped',
      stateReasons: ['cover-open-error', 'toner-low-warning'],
    });
  });

  it('may leave out its printer-state: what hinders it, its reasons say', async () => {
    const stateless = () => idlePrinter(attribute('printer-state', keyword('idle')));
    expect(await describePrinter(stateless)).toMatchObject({ ready: true, state: 'idle' });
    const open = attribute('printer-state-reasons', keyword('cover-open'));
    const hindered = () => idlePrinter(attribute('printer-state', keyword('stopped')), open);
    expect(await describePrinter(hindered)).toMatchObject({ ready: false, stateReasons: ['cover-open'] });
  });

  it('must be something', async () => {
    await expect(describePrinter(() => ({ groups: [] }))).rejects.toMatchObject({ code: 'printer-protocol' });
  });

  it.each(['client-error-not-found', 'client-error-gone'] as const)(
    'may be %s: there is no such printer, as a server of printers says it',
    async (status) => {
      await expect(describePrinter(() => ({ status }))).rejects.toMatchObject({
        code: 'printer-path-unknown',
        message: expect.stringMatching(/^the answer was .*: no printer at ipp:/),
        reasons: [status],
      });
    },
  );

  it('may be a refusal', async () => {
    const refusing = () => ({ status: 'client-error-forbidden' }) as const;
    await expect(describePrinter(refusing)).rejects.toMatchObject({
      code: 'printer-forbids',
      reasons: ['client-error-forbidden'],
    });
  });
});
