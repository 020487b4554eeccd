/**
 * The least that a program can do for a batch: log in, list, ask once whether prints are charged, then each document by
 * fetch() into memory and by Print-Job to the printer, one after the other. No ledger, no disk, no look at the printer or
 * at a job's end. A line on standard input is a card at the reader; a line on standard output: all is handed on.
 * Arguments: the API's address (with /api/v1), its key, a device's access token, the printer.
 */
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { decodeMessage } from '../../src/ipp/decode.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import { attribute } from '../../src/ipp/message.ts';
import { operations, statusCodes } from '../../src/ipp/registry.ts';
import { charset, mimeMediaType, nameWithoutLanguage, naturalLanguage, uri } from '../../src/ipp/values.ts';

const [api = '', key = '', device = '', printer = ''] = process.argv.slice(2);
const loginAnswer = z.object({ token: z.object({ access_token: z.string() }) });
const listAnswer = z.array(z.object({ uuid: z.string() }));
const json = { 'content-type': 'application/json' };
const agent = new Agent({ keepAlive: true });

async function ask(token: string, path: string, sent: RequestInit = {}): Promise<Response> {
  const headers = { 'x-api-key': key, authorization: `Bearer ${token}`, ...sent.headers };
  const answer = await fetch(`${api}${path}`, { ...sent, headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

const printJob = encodeMessage({
  version: [2, 0],
  code: operations['Print-Job'],
  requestId: 1,
  groups: [
    {
      tag: 'operation-attributes',
      attributes: [
        attribute('attributes-charset', charset('utf-8')),
        attribute('attributes-natural-language', naturalLanguage('en')),
        attribute('printer-uri', uri(printer)),
        attribute('requesting-user-name', nameWithoutLanguage('alice')),
        attribute('document-format', mimeMediaType('application/pdf')),
      ],
    },
  ],
});

async function print(document: Buffer): Promise<void> {
  for (;;) {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const length = printJob.length + document.length;
    const headers = { 'content-type': 'application/ipp', 'content-length': length };
    const call = request(printer.replace('ipp:', 'http:'), { method: 'POST', agent, headers });
    call.once('response', (answer) => void buffer(answer).then(resolve, reject)).once('error', reject);
    call.write(printJob);
    call.end(document);
    const { code } = decodeMessage(await promise).message;
    if (code < 0x0100) return;
    if (code !== statusCodes['server-error-busy']) throw new Error(`Print-Job: 0x${code.toString(16)}`);
  }
}

async function letOut(card: string): Promise<void> {
  const login = await ask(device, '/login', {
    method: 'POST',
    body: new URLSearchParams({ authtype: '1', userid: card }),
  });
  const { token } = loginAnswer.parse(await login.json());
  const list = await ask(token.access_token, '/documents?status=0&maxRecords=500');
  const uuids = listAnswer.parse(await list.json()).map(({ uuid }) => uuid);
  const pages = {
    userName: 'alice',
    providerId: 3,
    totalPages: 1,
    colorPages: 1,
    paperSize: 'A4',
    copies: 1,
  };
  const body = JSON.stringify({ uuid: uuids[0], ...pages });
  await (
    await ask(token.access_token, '/balance/check', { method: 'POST', headers: json, body })
  ).arrayBuffer();
  for (const uuid of uuids) {
    const content = await ask(token.access_token, `/documents/${uuid}.content?retain=true`);
    await print(Buffer.from(await content.arrayBuffer()));
  }
}

process.stdout.write('ready\n');
for await (const card of createInterface({ input: process.stdin })) {
  await letOut(card);
  process.stdout.write('done\n');
}
