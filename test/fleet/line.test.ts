/** One connection to a server that does not behave: our deadline ends it, and the socket with it (F2). */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { milliseconds } from '../../src/core/duration.ts';
import { connectProblem } from '../../src/fleet/engine/faults.ts';
import { openLine } from '../../src/fleet/engine/line.ts';
import { addressOf } from '../support/fleet-engine.ts';

/** What it does with each connection; `closed` resolves when the other side has ended the first one. */
async function serve(behave: (socket: Socket) => void) {
  const closed = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('close', () => closed.resolve());
    behave(socket);
    // Only who reads learns that the other side has ended.
    socket.resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, closed: closed.promise };
}

async function failureAt(port: number, query = ''): Promise<unknown> {
  const address = addressOf(`postgresql://platen:canary@127.0.0.1:${port}/fleet${query}`);
  const [host] = address.hosts;
  if (!host) throw new Error('no host');
  const opening = openLine(address, host, systemClock.deadline(milliseconds(300)));
  return opening.catch((error: unknown) => connectProblem(error, 'db:5432'));
}

/** PostgreSQL 15, section 55.7: an ErrorResponse of severity, code and message. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

it.each<[string, (socket: Socket) => void, object]>([
  [
    'says nothing',
    () => {},
    { code: 'fleet-engine-away', delivery: 'not-sent', message: 'db:5432: no answer in time' },
  ],
  [
    'speaks HTTP',
    (socket) => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'),
    { code: 'fleet-engine-away', delivery: 'not-sent' },
  ],
  ['hangs up', (socket) => socket.destroy(), { code: 'fleet-engine-away', delivery: 'not-sent' }],
  [
    'has no room',
    (socket) => socket.end(errorResponse('53300', 'sorry, too many clients already')),
    { code: 'fleet-engine-away', message: 'db:5432: sorry, too many clients already' },
  ],
  [
    'is starting up',
    (socket) => socket.end(errorResponse('57P03', 'the database system is starting up')),
    { code: 'fleet-engine-away', message: 'db:5432: the database system is starting up' },
  ],
  [
    'is a pooler',
    (socket) => socket.end(errorResponse('08P01', 'unsupported startup parameter: options')),
    { code: 'fleet-engine-refused', message: expect.stringContaining('not a pooler before it') },
  ],
])('a server that %s is told as what it is, and the socket is gone', async (_, behave, problem) => {
  const { port, closed } = await serve(behave);
  expect(await failureAt(port)).toMatchObject(problem);
  await closed;
});

it.each<[string, string, object]>([
  [
    'speaks no TLS',
    'N',
    { code: 'fleet-engine-refused', message: 'db:5432: the server speaks no TLS; set ssl = on there' },
  ],
  ['answers more than one octet before TLS', 'Sneaked in', { code: 'fleet-engine-away' }],
  ['begins TLS and says no more', 'S', { code: 'fleet-engine-away', message: 'db:5432: no answer in time' }],
])('a server that %s gets no password', async (_, answer, problem) => {
  const heard: Buffer[] = [];
  const { port, closed } = await serve((socket) => {
    socket.once('data', () => socket.write(answer));
    socket.on('data', (chunk) => heard.push(chunk));
  });
  expect(await failureAt(port, '?sslmode=verify-full')).toMatchObject(problem);
  await closed;
  expect(Buffer.concat(heard).toString('latin1')).not.toMatch(/canary|platen/);
});

it('a server that asks for the password in the clear gets it on this machine alone', async () => {
  const cleartext = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
  const heard: Buffer[] = [];
  const { port, closed } = await serve((socket) => {
    socket.once('data', () => socket.write(cleartext));
    socket.on('data', (chunk) => heard.push(chunk));
  });
  expect(await failureAt(port)).toMatchObject({ code: 'fleet-engine-away' });
  await closed;
  expect(Buffer.concat(heard).toString('latin1')).toContain('canary');
});
