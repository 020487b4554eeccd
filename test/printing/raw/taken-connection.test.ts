/** Print servers of one connection: who comes second is let in, and put out again, with its document unread. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { sampleTicket } from '../../support/sample-ticket.ts';
import { openRawPrinterHere } from '../../support/printer/raw-printers.ts';
import { pdfOf, spooled } from '../../support/printer/samples.ts';
import { withoutLimit } from '../../support/patience.ts';

async function serverThat(meets: (socket: Socket) => void): Promise<string> {
  // What it does not read stays in the system, which answers for it with a reset.
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => {});
    meets(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `socket://127.0.0.1:${address.port}`;
}

it.each<[string, 'off' | 'auto', (socket: Socket) => unknown]>([
  [
    'ends its half at once, and closes with what it has not read',
    'off',
    async (socket) => {
      socket.end();
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      socket.destroy();
    },
  ],
  ['closes at once', 'off', (socket) => socket.destroy()],
  ['closes at once, and might have talked', 'auto', (socket) => socket.destroy()],
  [
    'closes when it has come to everything else',
    'off',
    async (socket) => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      socket.destroy();
    },
  ],
])('a short document is not handed over to one that %s (I12)', async (_, pjl, meets) => {
  const uri = await serverThat((socket) => void meets(socket));
  const printer = openRawPrinterHere(uri, { pjl });
  const document = await spooled(pdfOf(9000));
  const plan = await printer.prepare(sampleTicket(), document, withoutLimit());
  await expect(printer.send(plan, document, withoutLimit())).rejects.toMatchObject({ name: 'Problem' });
});
