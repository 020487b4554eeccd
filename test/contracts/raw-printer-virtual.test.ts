/** The virtual raw printer keeps the contract of a real one; it also notes every deviation from PJL. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { startVirtualSocketPrinter } from '../../src/simulator/printer/raw/socket-printer.ts';
import { openRawPrinterHere, sendBytes, virtualSocketPrinter } from '../support/printer/raw-printers.ts';
import { pdfOf } from '../support/printer/samples.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import type { RawPrinterStage } from './raw-printer.ts';
import { rawPrinterContract } from './raw-printer.ts';
import { withoutLimit } from '../support/patience.ts';

async function startStage(): Promise<RawPrinterStage> {
  const printer = await startVirtualSocketPrinter();
  return {
    uri: printer.uri,
    received: async () => printer.received.filter(({ length }) => length > 0),
    freeze: () => printer.behave({ kind: 'stop-reading', afterBytes: 0 }),
    breakOff: () => printer.behave({ kind: 'reset', afterBytes: 0 }),
    switchOff: () => printer.behave({ kind: 'refuse-connections' }),
    [Symbol.asyncDispose]: () => printer[Symbol.asyncDispose](),
  };
}

describe('the virtual raw printer', () => {
  rawPrinterContract(startStage, openRawPrinterHere);

  it('finds no deviation in what the document asks for, and prints the document without its PJL', async () => {
    const peer = await virtualSocketPrinter();
    const ticket = sampleTicket({
      name: 'Straße "1"\n@PJL RESET.pdf',
      copies: 3,
      sides: 'two-sided-short-edge',
      grayscale: true,
    });
    await sendBytes(openRawPrinterHere(peer.uri), pdfOf(1000), { ticket });
    await peer.waitFor(() => peer.outputs.length === 1);
    expect(peer.outputs).toMatchObject([
      {
        jobName: 'Strae 1@PJL RESET.pdf [7f3a9c21]',
        complete: true,
        pjl: [
          '@PJL',
          '@PJL USTATUS JOB=ON',
          '@PJL USTATUS PAGE=ON',
          '@PJL USTATUS DEVICE=ON',
          '@PJL INFO STATUS',
          '@PJL JOB NAME="Strae 1@PJL RESET.pdf [7f3a9c21]"',
          '@PJL SET COPIES=3',
          '@PJL SET DUPLEX=ON',
          '@PJL SET BINDING=SHORTEDGE',
          '@PJL SET RENDERMODE=GRAYSCALE',
          '@PJL ENTER LANGUAGE=PDF',
          '@PJL',
          '@PJL EOJ NAME="Strae 1@PJL RESET.pdf [7f3a9c21]"',
        ],
      },
    ]);
    expect((await readFile(peer.outputs[0]?.file ?? '')).equals(pdfOf(1000))).toBe(true);
    expect(peer.deviations).toEqual([]);
  });

  it('is waited for when it refuses whoever comes while it serves another one (B.4, 7)', async () => {
    const peer = await virtualSocketPrinter({ whenTaken: 'refuse' });
    await peer.behave({ kind: 'stop-reading', afterBytes: 1000 });
    const first = sendBytes(openRawPrinterHere(peer.uri), pdfOf(2000));
    await peer.waitFor(() => peer.octets() >= 1000);
    const second = sendBytes(openRawPrinterHere(peer.uri), pdfOf(3000));
    await peer.clear();
    await Promise.all([first, second]);
    await peer.waitFor(() => peer.outputs.length === 2);
    expect(peer.outputs.map(({ bytes }) => bytes)).toEqual([2000, 3000]);
  });

  it('is reached over IPv6', async () => {
    const peer = await virtualSocketPrinter({ host: '::1' });
    await sendBytes(openRawPrinterHere(peer.uri), pdfOf(1000));
    await peer.waitFor(() => peer.outputs.length === 1);
  });

  it('has no connection but those that bring a document: some make a job of each', async () => {
    const peer = await virtualSocketPrinter();
    const printer = openRawPrinterHere(peer.uri);
    for (let look = 0; look < 3; look += 1) await printer.describe(withoutLimit());
    expect(peer.connections()).toBe(0);
    await peer.behave({ kind: 'stop-reading', afterBytes: 100 });
    const sent = sendBytes(printer, pdfOf(1000));
    await peer.waitFor(() => peer.octets() >= 100);
    expect(await printer.describe(withoutLimit())).toMatchObject({ state: 'processing' });
    await peer.clear();
    await sent;
    await printer.describe(withoutLimit());
    await sendBytes(printer, pdfOf(2000));
    await peer.waitFor(() => peer.outputs.length === 2);
    expect(peer.connections()).toBe(2);
  });

  it('has one when a person asks', async () => {
    const peer = await virtualSocketPrinter();
    await openRawPrinterHere(peer.uri).describe({ ...withoutLimit(), isAskedFor: true });
    await peer.waitFor(() => peer.connections() === 1);
  });
});
