import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../../src/core/clock.ts';
import { minutes, seconds } from '../../../src/core/duration.ts';
import type { Document } from '../../../src/domain/document.ts';
import type { ProblemCode } from '../../../src/domain/problem/problem-kinds.ts';
import { createAddressGuard } from '../../../src/printing/address-guard.ts';
import { socketAddress } from '../../../src/printing/raw/socket-connection.ts';
import type { SocketPrinterDeps } from '../../../src/printing/raw/socket-printer.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';
import { hastyClock } from '../../support/hasty-clock.ts';
import {
  openRawPrinter,
  openRawPrinterHere,
  sendBytes,
  virtualSocketPrinter,
} from '../../support/printer/raw-printers.ts';
import { eventually, withoutLimit } from '../../support/patience.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';
import { pdfOf, spooled } from '../../support/printer/samples.ts';

describe('the address of a raw printer', () => {
  it.each([
    ['socket://10.0.0.7', '10.0.0.7', 9100],
    ['socket://printer.example:9101/', 'printer.example', 9101],
    ['socket://[fd00::7]', 'fd00::7', 9100],
    ['socket://[::1]:9102', '::1', 9102],
  ])('%s is %s, port %i', (uri, host, port) => {
    expect(socketAddress(uri)).toEqual({ host, port });
  });

  it.each([
    'socket:',
    'socket://',
    'ipp://10.0.0.7/',
    'socket://u:p@10.0.0.7',
    'socket://10.0.0.7/queue',
    'no',
  ])('%s is none', (uri) => {
    expect(() => socketAddress(uri)).toThrow(expect.objectContaining({ code: 'config-invalid' }) as Error);
  });
});

it('a raw printer that takes octets comes on', async () => {
  const { uri } = await virtualSocketPrinter();
  let slices = 0;
  await sendBytes(openRawPrinterHere(uri), pdfOf(100_000), { onProgress: () => (slices += 1) });
  expect(slices).toBeGreaterThan(6);
});

describe('a raw printer refuses before the intent, and no byte goes out', () => {
  const pclXl = Buffer.from(') HP-PCL XL;2;0\n');
  interface Row {
    readonly what: string;
    readonly bytes?: Buffer;
    readonly document?: Partial<Document>;
    readonly options?: Partial<SocketPrinterDeps>;
    readonly code: ProblemCode;
  }
  it.each<Row>([
    { what: 'bytes of no known kind', bytes: Buffer.from([0, 1, 2, 3]), code: 'document-not-printable' },
    {
      what: 'a picture, which no language word names',
      bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      code: 'document-not-printable',
    },
    {
      what: 'two copies of PCL XL that brings PJL of its own: ours would have to stand around it',
      bytes: Buffer.from('\u001b%-12345X@PJL ENTER LANGUAGE=PCLXL\r\n) HP-PCL XL;2;0\n', 'latin1'),
      document: { copies: 2 },
      code: 'printer-refused-job',
    },
    {
      what: 'PCL XL where only PDF is let through',
      bytes: pclXl,
      options: { outputType: 'pdf' },
      code: 'document-not-printable',
    },
    {
      what: 'two copies of PCL XL without PJL',
      bytes: pclXl,
      document: { copies: 2 },
      options: { pjl: 'off' },
      code: 'printer-refused-job',
    },
  ])('$what: $code', async ({ bytes = pdfOf(1000), document: wanted, options, code }) => {
    const peer = await virtualSocketPrinter();
    const printer = openRawPrinterHere(peer.uri, options);
    const document = await spooled(bytes);
    await expect(printer.prepare(sampleTicket(wanted), document, withoutLimit())).rejects.toMatchObject({
      code,
    });
    expect(peer.connections()).toBe(0);
  });

  it('whoever refuses connections for half a minute (B.4, 7)', async () => {
    const peer = await virtualSocketPrinter();
    await peer.behave({ kind: 'refuse-connections' });
    const clock = hastyClock();
    const printer = openRawPrinter(peer.uri, { clock });
    await expect(sendBytes(printer, pdfOf(1000))).rejects.toMatchObject({
      code: 'printer-unreachable',
      delivery: 'not-sent',
    });
    expect(clock.monotonic()).toBe(30_000);
  });

  it('a name that has come to lead elsewhere: nobody is connected to there (D9)', async () => {
    const peer = await virtualSocketPrinter();
    const guard = createAddressGuard({
      network: { allow: ['10.0.0.0/24'], ports: [], schemes: ['socket'] },
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const uri = peer.uri.replace('127.0.0.1', 'printer.example');
    const printer = openRawPrinter(uri, { lookup: guard.lookup });
    await expect(sendBytes(printer, pdfOf(1000))).rejects.toMatchObject({
      code: 'printer-address-refused',
      delivery: 'not-sent',
    });
    expect(peer.connections()).toBe(0);
  });
});

describe('a document that brings PJL of its own', () => {
  const uel = '\u001b%-12345X';
  const own = Buffer.concat([
    Buffer.from(`${uel}@PJL SET RESOLUTION=600\r\n@PJL ENTER LANGUAGE=PDF\r\n`, 'latin1'),
    pdfOf(1000),
    Buffer.from(`${uel}@PJL EOJ\r\n${uel}`, 'latin1'),
  ]);

  it('goes out unchanged, and nothing of ours around it: a job within a job would be another', async () => {
    const peer = await virtualSocketPrinter();
    expect(await sendBytes(openRawPrinterHere(peer.uri), own)).toBeUndefined();
    await peer.waitFor(() => peer.received.length === 1);
    expect(peer.received[0]?.equals(own)).toBe(true);
  });

  it('is converted where more than one copy is asked for', async () => {
    const peer = await virtualSocketPrinter();
    const plan = await openRawPrinterHere(peer.uri).prepare(
      sampleTicket({ copies: 2 }),
      await spooled(own),
      withoutLimit(),
    );
    expect(plan).toMatchObject({ conversion: { copies: 2 } });
  });
});

describe('what goes to a raw printer is converted where it must be', () => {
  it.each([
    { what: 'PDF, where only PCL XL is let through', options: { outputType: 'pcl6' }, copies: 1 },
    { what: 'two copies, made in software where no PJL asks for them', options: { pjl: 'off' }, copies: 2 },
  ] as const)('$what', async ({ options, copies }) => {
    const peer = await virtualSocketPrinter();
    const document = await spooled(pdfOf(1000));
    const plan = await openRawPrinterHere(peer.uri, options).prepare(
      sampleTicket({ copies }),
      document,
      withoutLimit(),
    );
    expect(plan).toMatchObject({ conversion: { format: plan.format, copies } });
  });
});

describe('a raw printer that goes away', () => {
  it('before the document: nothing was sent', async () => {
    const peer = await virtualSocketPrinter();
    const printer = openRawPrinter(peer.uri, { clock: hastyClock() });
    const document = await spooled(pdfOf(1000));
    const plan = await printer.prepare(sampleTicket(), document, withoutLimit());
    await peer.behave({ kind: 'refuse-connections' });
    await expect(printer.send(plan, document, withoutLimit())).rejects.toMatchObject({
      code: 'printer-unreachable',
      delivery: 'not-sent',
    });
    expect(peer.outputs).toEqual([]);
  });

  it('is away until it takes a connection, and costs one without a document to know', async () => {
    const peer = await virtualSocketPrinter();
    let ahead = 0;
    const hasty = hastyClock();
    const clock = { ...hasty, monotonic: () => hasty.monotonic() + ahead };
    const printer = openRawPrinter(peer.uri, { clock });
    await peer.behave({ kind: 'refuse-connections' });
    await expect(sendBytes(printer, pdfOf(1000))).rejects.toMatchObject({ code: 'printer-unreachable' });
    ahead = 3_600_000;
    await expect(printer.describe(withoutLimit())).rejects.toMatchObject({ code: 'printer-unreachable' });
    await peer.clear();
    expect(await printer.describe(withoutLimit())).not.toHaveProperty('isAssumed');
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true });
    ahead = 7_200_000;
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true, isAssumed: true });
    expect(peer.connections()).toBe(1);
  });

  it('is only taken to be ready before anybody has met it, and is not connected to', async () => {
    const peer = await virtualSocketPrinter();
    const printer = openRawPrinter(peer.uri, { clock: hastyClock() });
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true, isAssumed: true });
    expect(peer.connections()).toBe(0);
  });

  it('is ready again as soon as a document was taken', async () => {
    const peer = await virtualSocketPrinter();
    const printer = openRawPrinter(peer.uri, { clock: hastyClock() });
    await peer.behave({ kind: 'refuse-connections' });
    await expect(sendBytes(printer, pdfOf(1000))).rejects.toMatchObject({ code: 'printer-unreachable' });
    await peer.clear();
    await printer.describe({ ...withoutLimit(), isAskedFor: true });
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true });
  });

  it('when it has everything, and closes late: it is waited for as long as a job may stand', async () => {
    const peer = await virtualSocketPrinter();
    await peer.behave({ kind: 'stop-reading', afterBytes: Infinity });
    const time = createVirtualTime();
    const clock = time.clock();
    const printer = openRawPrinterHere(peer.uri, { time, pjl: 'off', jobStall: minutes(10) });
    clock.setTimeout(() => void peer.clear(), minutes(9));
    expect(await sendBytes(printer, pdfOf(1000))).toBeUndefined();
    expect(peer.outputs).toMatchObject([{ bytes: 1000, complete: true }]);
  });

  it('talks without end: what it says is not kept, and does not count as progress', async () => {
    const chatter = Buffer.alloc(64 * 1024, 'x');
    let heard = 0;
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      const talk = () => void (socket.writable && socket.write(chatter, () => setImmediate(talk)));
      socket.on('error', () => {}).on('data', ({ length }) => (heard += length));
      talk();
      onTestFinished(() => void socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const clock = createSteeredClock();
    const printer = openRawPrinter(`socket://127.0.0.1:${port}`, { clock });
    let end: unknown;
    sendBytes(printer, pdfOf(1000)).catch((error: unknown) => (end = error));
    await eventually(async () => {
      await clock.advance(seconds(1));
      expect(heard).toBeGreaterThan(1000);
    });
    await eventually(async () => {
      await clock.advance(seconds(1));
      expect(end).toMatchObject({ code: 'printer-stalled', delivery: 'perhaps' });
    });
  });

  it('with the agent: what is under way is broken off, never ended in order', async () => {
    const peer = await virtualSocketPrinter();
    await peer.behave({ kind: 'stop-reading', afterBytes: 1000 });
    const printer = openRawPrinterHere(peer.uri);
    const document = await spooled(pdfOf(16_000_000));
    const plan = await printer.prepare(sampleTicket(), document, withoutLimit());
    const over = new AbortController();
    const sent = printer.send(plan, document, { signal: over.signal });
    await peer.waitFor(() => peer.octets() >= 1000);
    over.abort();
    await expect(sent).rejects.toMatchObject({ delivery: 'perhaps' });
    await peer.clear();
    await peer.waitFor(() => peer.outputs.length === 1);
    expect(peer.outputs).toMatchObject([{ complete: false }]);
  });
});

it('a raw printer is not held to time in which nothing ran: a suspended computer, a paused machine', async () => {
  let leapt = 0;
  let looks = 0;
  let hasAll: (() => void) | undefined;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.resume().on('end', () => {
      hasAll = () => socket.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const time = createVirtualTime();
  const virtual = time.clock();
  const clock: Clock = {
    ...virtual,
    monotonic: () => virtual.monotonic() + leapt,
    sleep(span, options) {
      looks += hasAll ? 1 : 0;
      if (looks === 1) leapt = minutes(60);
      if (looks === 3) hasAll?.();
      return virtual.sleep(span, options);
    },
  };
  const uri = `socket://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const printer = openRawPrinter(uri, { clock, pjl: 'off', stall: seconds(30) });
  await expect(time.until(sendBytes(printer, pdfOf(1000)))).resolves.toBeUndefined();
  expect(leapt).toBe(minutes(60));
});
