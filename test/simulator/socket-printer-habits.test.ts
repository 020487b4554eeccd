/** Each habit of the virtual raw printer as a sender sees it, and what then really came out. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { VirtualSocketPrinter } from '../../src/simulator/printer/raw/socket-printer.ts';
import { startVirtualSocketPrinter } from '../../src/simulator/printer/raw/socket-printer.ts';

const connected = async ({ uri }: VirtualSocketPrinter): Promise<Socket> => {
  const socket = connect({ port: Number(new URL(uri).port), host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
};

const question = '\u001b%-12345X@PJL\r\n@PJL INFO STATUS\r\n\u001b%-12345X';

test.each(['', question])('prints-empty-connections: %j is a job called Untitled', async (words) => {
  await using printer = await startVirtualSocketPrinter({ habits: ['prints-empty-connections'] });
  const socket = await connected(printer);
  socket.end(words);
  await printer.waitFor(() => printer.outputs.length === 1);
  expect(printer.outputs).toMatchObject([{ jobName: 'Untitled', bytes: 0, complete: true }]);
  socket.destroy();
});

test('prints-empty-connections: a document is a job of its own, and no other', async () => {
  await using printer = await startVirtualSocketPrinter({ habits: ['prints-empty-connections'] });
  const socket = await connected(printer);
  socket.end('%!PS\nshowpage\n');
  await printer.waitFor(() => printer.outputs.length === 1);
  expect(printer.outputs).toMatchObject([{ jobName: '', bytes: 14 }]);
  socket.destroy();
});

test('closes-late: printed, and open until the time is over', async () => {
  await using printer = await startVirtualSocketPrinter({ habits: ['closes-late=600'] });
  const socket = await connected(printer);
  let isClosed = false;
  socket.once('end', () => {
    isClosed = true;
  });
  socket.resume().end('%!PS\nshowpage\n');
  await printer.waitFor(() => printer.outputs.length === 1);
  const next = await connected(printer);
  expect([isClosed, printer.outputs.length]).toEqual([false, 1]);
  for (const one of [socket, next]) one.destroy();
});

test('closes-late: after its time it closes', async () => {
  await using printer = await startVirtualSocketPrinter({ habits: ['closes-late=0.02'] });
  const socket = await connected(printer);
  socket.resume().end('%!PS\nshowpage\n');
  await once(socket, 'end');
  expect(printer.outputs).toHaveLength(1);
});

test('answers-nothing: not even a printer that would talk', async () => {
  await using printer = await startVirtualSocketPrinter({
    voice: { kind: 'talks' },
    habits: ['answers-nothing'],
  });
  const socket = await connected(printer);
  socket.end(question);
  expect((await buffer(socket)).length).toBe(0);
  expect(printer.inquiries()).toBe(1);
});
