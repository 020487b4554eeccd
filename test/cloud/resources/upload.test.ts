/** Upload over the wire: spec, PUT /documents; RFC 7578. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Upload } from '../../../src/cloud/resources/upload.ts';
import { uploadDocument } from '../../../src/cloud/resources/upload.ts';
import { problemOf } from '../../support/cloud/cloud-under-test.ts';
import { answerJson } from '../../support/cloud/scripted-server.ts';
import { asUser, itGoesWithEitherToken, itRejectsRefusals, resourceWith } from './resource-under-test.ts';

const upload: Upload = {
  file: { name: 'scan.pdf', bytes: Buffer.from('%PDF-1.7\n') },
  title: 'Größe',
  userName: 'ann',
  portName: 'Secure',
};
const made = answerJson({ uuid: 'a-1', documentName: 'Größe', status: 0 });

/** The parts as the server received them, read by the platform's own decoder. */
async function partsSent(wanted: Upload) {
  await using under = await resourceWith(made);
  expect(await uploadDocument(under.parts, wanted, asUser)).toBe('a-1');
  const [asked] = under.server.asked;
  expect(asked).toMatchObject({ method: 'PUT', url: '/api/v1/documents' });
  const type = asked?.headers['content-type'] ?? '';
  const form = await new Response(asked?.body, { headers: { 'content-type': type } }).formData();
  return Object.fromEntries(form);
}

describe('an upload', () => {
  it('sends what is known, and the file with its name', async () => {
    const { data, ...fields } = await partsSent(upload);
    expect(fields).toEqual({ username: 'ann', portname: 'Secure', title: 'Größe' });
    if (!(data instanceof File)) throw new Error('there is no file');
    expect([data.name, data.type, await data.text()]).toEqual([
      'scan.pdf',
      'application/octet-stream',
      '%PDF-1.7\n',
    ]);
  });

  it('sends every option in the words of the service', async () => {
    const { data: _, ...fields } = await partsSent({
      ...upload,
      providerId: 4,
      copies: 2,
      grayscale: true,
      sides: 'two-sided-short-edge',
      collate: false,
      push: { outputPageSize: 'A4', orientation: 'landscape', scale: 90 },
    });
    expect(fields).toEqual({
      providerid: '4',
      username: 'ann',
      portname: 'Secure',
      title: 'Größe',
      copies: '2',
      grayscale: 'true',
      duplex: '2',
      outputpagesize: 'A4',
      pageorientation: '1',
      scale: '90',
      collate: 'false',
    });
  });

  it.each([
    ['scan.pdf', 'Letter', 'Letter'],
    ['scan.PDF', 'Letter', 'Letter'],
    ['budget.xlsx', 'Budget', 'Budget.xlsx'],
    ['budget.xlsx', 'Budget.XLSX', 'Budget.XLSX'],
    ['raw', 'Raw', 'Raw'],
  ])('of %s called %s is titled %s', async (name, title, expected) => {
    const sent = await partsSent({ ...upload, file: { ...upload.file, name }, title });
    expect(sent).toHaveProperty('title', expected);
  });

  it('sends a file as it comes, with its length, just as one that is there already', async () => {
    const pieces = ['%PDF-1.7\n', 'x'.repeat(200_000), '--\r\n--\r\n'].map((one) => Buffer.from(one));
    await using under = await resourceWith(made);
    const octets = Buffer.concat(pieces).length;
    const file = { name: 'Maß "1".pdf', octets, stream: Readable.from(pieces) };
    await uploadDocument(under.parts, { ...upload, file }, asUser);
    const [asked] = under.server.asked;
    expect(asked?.headers).toMatchObject({ 'content-length': expect.stringMatching(/^\d+$/) as string });
    const type = asked?.headers['content-type'] ?? '';
    const { data } = Object.fromEntries(
      await new Response(asked?.body, { headers: { 'content-type': type } }).formData(),
    );
    if (!(data instanceof File)) throw new Error('there is no file');
    expect([data.name, await data.text()]).toEqual(['Maß "1".pdf', Buffer.concat(pieces).toString()]);
  });

  it('of a file that breaks off in the middle no document is made, and nothing is sent a second time', async () => {
    await using under = await resourceWith(made);
    async function* breaking() {
      yield Buffer.alloc(100_000);
      await Promise.resolve();
      throw new Error('pulled out');
    }
    const file = {
      name: 'a.pdf',
      octets: 1_000_000,
      stream: Readable.from(breaking(), { objectMode: false }),
    };
    await expect(uploadDocument(under.parts, { ...upload, file }, asUser)).rejects.toThrow(/pulled out|PUT/);
    expect(under.server.asked).toEqual([]);
  });

  it('above the limit of the service is not begun', async () => {
    await using under = await resourceWith(made);
    const bytes = Buffer.alloc(200 * 1024 * 1024 + 1);
    const asked = uploadDocument(under.parts, { ...upload, file: { name: 'big.pdf', bytes } }, asUser);
    expect(await problemOf(asked)).toMatchObject({ code: 'document-too-large', delivery: 'not-sent' });
    expect(under.server.asked).toEqual([]);
  });

  it('is made once, however the answer was lost', async () => {
    await using under = await resourceWith((response) => response.socket?.resetAndDestroy());
    expect((await problemOf(uploadDocument(under.parts, upload, asUser))).delivery).toBe('perhaps');
    expect(under.server.asked).toHaveLength(1);
  });

  it.each([{}, { uuid: '../x' }, { uuid: 7 }])('answered by %j made nothing we know of', async (answer) => {
    await using under = await resourceWith(answerJson(answer));
    expect((await problemOf(uploadDocument(under.parts, upload, asUser))).code).toBe('cloud-protocol');
  });

  itGoesWithEitherToken((parts, options) => uploadDocument(parts, upload, options), made);
  itRejectsRefusals((parts, options) => uploadDocument(parts, upload, options));
});
