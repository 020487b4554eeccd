/**
 * The cable to a printer, with an eye on it: passes all bytes on unchanged and sees the moment at which the first
 * byte of a PDF goes by. It listens beside the printer's own loopback address on the same port, because a printer is
 * known by its port.
 */
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface PrinterLine extends AsyncDisposable {
  /** The printer must listen here on 127.0.0.1. */
  readonly port: number;
  /** `ipp://127.0.0.2:…/ipp/print` */
  readonly uri: string;
  /** Resolves with `performance.now()` when the next document begins to go by. */
  nextDocument(): Promise<number>;
}

const firstBytes = '%PDF-';

export async function openPrinterLine(): Promise<PrinterLine> {
  const waiting: ((at: number) => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const printer = connect(port, '127.0.0.1');
    client.on('data', (chunk: Buffer) => {
      if (waiting.length > 0 && chunk.includes(firstBytes)) waiting.shift()?.(performance.now());
    });
    client.pipe(printer).pipe(client);
    for (const socket of [client, printer]) {
      sockets.add(socket.setNoDelay());
      // One end that breaks off is passed on to the other.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        printer.destroy();
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.2', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    port,
    uri: `ipp://127.0.0.2:${port}/ipp/print`,
    nextDocument: () => new Promise((resolve) => void waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
