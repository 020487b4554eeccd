/**
 * The least that a server can do for the same bytes: a bare `node:http` server that knows each answer by its method and
 * path, and reads each request to its end. Started with a file of answers; says its port on standard output.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KnownAnswer } from './simulated-cloud.ts';

const file = process.argv[2];
if (file === undefined) throw new Error('name a file of answers');
const known: readonly KnownAnswer[] = JSON.parse(readFileSync(file, 'utf8'));
const answers = new Map(
  known.map(({ call, status, type, body }) => [call, { status, type, body: Buffer.from(body, 'base64') }]),
);

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const { status, type, body } = answers.get(`${request.method} ${request.url}`) ?? missing;
    response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
  });
});
const missing = { status: 404, type: 'text/plain', body: Buffer.alloc(0) };

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
