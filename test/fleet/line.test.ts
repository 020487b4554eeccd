/** One connection to a server that does not behave: our deadline ends it, and the socket with it (F2). */
import { systemClock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { connectProblem } from '../../src/fleet/engine/faults.ts';
import { openLine } from '../../src/fleet/engine/line.ts';
import { identityOf, makeCertificate } from '../support/certificates.ts';
import { addressOf } from '../support/fleet/fleet-engine.ts';
import { withoutLimit } from '../support/patience.ts';

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

interface Wanted {
  readonly query?: string;
  readonly password?: string;
  readonly ca?: string;
  readonly signal?: AbortSignal;
}

/** Some servers say nothing for as long as anybody waits. */
const soon = () => systemClock.deadline(seconds(1));

function lineTo(
  port: number,
  { query = '', password = 'canary', ca = '', signal = withoutLimit().signal }: Wanted = {},
) {
  const url = `postgresql://platen:${password}@127.0.0.1:${port}/fleet${query}`;
  const address = addressOf(url, () => ca);
  const [host] = address.hosts;
  if (!host) throw new Error('no host');
  return openLine(address, host, signal);
}

const failureAt = (port: number, wanted: Wanted = {}): Promise<unknown> =>
  lineTo(port, wanted).catch((error: unknown) => connectProblem(error, 'db:5432'));

/** PostgreSQL 15, section 55.7: a type, a length that counts itself, a content. */
function message(type: string, ...content: readonly (number | Buffer)[]): Buffer {
  const body = Buffer.concat(content.map((part) => (typeof part === 'number' ? int32(part) : part)));
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}
function int32(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeInt32BE(value);
  return octets;
}
const int16 = (value: number): Buffer => int32(value).subarray(2);
/** An ErrorResponse of severity, code and message. */
const errorResponse = (code: string, said: string): Buffer =>
  message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${said}\0\0`));

it.each<[string, (socket: Socket) => void, object]>([
  [
    'says nothing',
    () => {},
    { code: 'fleet-engine-away', delivery: 'not-sent', message: 'db:5432: no answer in time' },
  ],
  [
    'speaks HTTP',
    (socket) => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'),
    { code: 'fleet-engine-refused', message: expect.stringContaining("which is none of PostgreSQL's") },
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
    { code: 'fleet-engine-refused', message: expect.stringContaining('not of a pooler') },
  ],
])('a server that %s is told as what it is, and the socket is gone', async (how, behave, problem) => {
  const { port, closed } = await serve(behave);
  expect(await failureAt(port, how === 'says nothing' ? { signal: soon() } : {})).toMatchObject(problem);
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
])('a server that %s gets no password', async (how, answer, problem) => {
  const heard: Buffer[] = [];
  const { port, closed } = await serve((socket) => {
    socket.once('data', () => socket.write(answer));
    socket.on('data', (chunk) => heard.push(chunk));
  });
  const patient = how === 'begins TLS and says no more' ? { signal: soon() } : {};
  expect(await failureAt(port, { query: '?sslmode=verify-full', ...patient })).toMatchObject(problem);
  await closed;
  expect(Buffer.concat(heard).toString('latin1')).not.toMatch(/canary|platen/);
});

const isIn = message('R', 0);
const isReady = message('Z', Buffer.from('I'));

it.each<[string, Buffer, string, string]>([
  ['in clear', message('R', 3), 'canary', 'it asks for the password in clear, and does not get it'],
  ['by MD5', message('R', 5, 0x01020304), 'canary', 'it asks for the password by MD5, and does not get it'],
  ['by Kerberos', message('R', 2), 'canary', 'it asks for a proof that is not given at this place (2)'],
  ['not at all', Buffer.concat([isIn, isReady]), 'canary', 'without a proof that it knows the password'],
  [
    'without knowing it',
    message('R', 12, Buffer.from('v=AAAA')),
    'canary',
    'it asks for a proof that is not given at this place (12)',
  ],
  [
    'though there is none',
    message('R', 10, Buffer.from('SCRAM-SHA-256\0\0')),
    '',
    'it asks for a password, but the address of the engine has none',
  ],
])('a server that asks for the password %s does not get it', async (_, answer, password, sentence) => {
  const heard: Buffer[] = [];
  const { port, closed } = await serve((socket) => {
    socket.once('data', () => socket.write(answer));
    socket.on('data', (chunk) => heard.push(chunk));
  });
  expect(await failureAt(port, { password })).toMatchObject({
    code: 'fleet-engine-refused',
    message: expect.stringContaining(sentence),
  });
  await closed;
  // MD5 of what it would have been asked with.
  expect(Buffer.concat(heard).toString('latin1')).not.toMatch(/canary|md5[0-9a-f]{32}/);
});

it('a server that has proved who it is may ask for the password in clear, as those before a directory do', async () => {
  const authority = makeCertificate({ commonName: 'authority' });
  const tls = identityOf(makeCertificate({ commonName: 'db', hosts: ['127.0.0.1'], issuer: authority }));
  const heard = Promise.withResolvers<string>();
  const { port } = await serve((socket) => {
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) });
      secure.on('error', () => {});
      secure.once('data', () => {
        secure.write(message('R', 3));
        secure.once('data', (chunk: Buffer) => {
          heard.resolve(chunk.toString());
          secure.write(Buffer.concat([isIn, isReady]));
        });
      });
    });
  });
  using line = await lineTo(port, { query: '?sslmode=verify-full&sslrootcert=ca', ca: authority.pem });
  expect(line.isOver).toBe(false);
  expect(await heard.promise).toContain('canary');
});

/** Signed in, it answers the first question by these. */
const answering = (answer: Buffer, isEndless: boolean) => (socket: Socket) =>
  void socket.once('data', () => {
    socket.write(Buffer.concat([isIn, isReady]));
    socket.once('data', () => {
      const more = () => {
        if (!socket.destroyed) socket.write(answer, () => isEndless && setTimeout(more));
      };
      more();
    });
  });
const columns = (count: number): Buffer => {
  const column = Buffer.concat([Buffer.from('a\0'), Buffer.alloc(18)]);
  return message('T', int16(count), ...Array.from({ length: count }, () => column));
};
const rowOf = (octets: number): Buffer => message('D', int16(1), octets, Buffer.alloc(octets, 'a'));

it.each<[string, Buffer, string]>([
  [
    'a message that is longer than any',
    Buffer.concat([Buffer.from('D'), int32(0x7ffffff0), Buffer.alloc(65_536)]),
    'it sends a message of 2147483632 octets',
  ],
  ['a message of less than its own length', Buffer.concat([Buffer.from('D'), int32(3)]), 'of 3 octets'],
  ['rows without an end', rowOf(2 ** 20), 'it sends more than any answer has'],
  ['empty rows without an end', Buffer.alloc(70_000, message('D', int16(0))), 'it sends more rows than any'],
  ['columns without number', columns(30_000), 'it sends more columns than any answer has'],
  [
    'parameters without an end',
    message('S', Buffer.alloc(2 ** 20, 'a'), Buffer.from('\0a\0')),
    'it sends more than any answer has',
  ],
  ['a row that is cut short', message('D', int16(9), 1), 'Received'],
])('a server that answers with %s is told as that, and fills no memory', async (_, answer, sentence) => {
  const { port, closed } = await serve(answering(answer, true));
  using line = await lineTo(port, { password: '' });
  const before = process.memoryUsage().rss;
  const asked = line.ask({ name: 'q', text: 'SELECT 1' }, [], withoutLimit().signal);
  await expect(asked).rejects.toThrow(sentence);
  await closed;
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(250);
});
