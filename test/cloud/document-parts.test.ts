/** A download that goes on where it broke off (RFC 9110 sections 8.8, 13.1.5 and 14). */
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { asking, cloudAt, problemOf, userToken } from '../support/cloud/cloud-under-test.ts';
import type { Reply } from '../support/cloud/scripted-server.ts';
import { answerStatus, startServer } from '../support/cloud/scripted-server.ts';

const pdf = Buffer.from('%PDF-1.7 …');
const rest = { from: 4, validator: '"a"' };
const resuming = { ...asking, rest };

/** What is left from byte 4 on, unless said. */
const part =
  (headers: Record<string, string>, content = pdf.subarray(4)): Reply =>
  (response) => {
    response.writeHead(206, {
      'content-length': content.length,
      'content-range': `bytes 4-${pdf.length - 1}/${pdf.length}`,
      etag: '"a"',
      ...headers,
    });
    response.end(content);
  };

const whole =
  (headers: Record<string, string>): Reply =>
  (response) => {
    response.writeHead(200, { 'content-length': pdf.length, ...headers });
    response.end(pdf);
  };

const download = async (reply: Reply, options: typeof resuming | typeof asking = resuming) => {
  await using server = await startServer(reply);
  await using under = cloudAt(server.url);
  const given = await under.cloud.documents.download('a', userToken, options);
  return { ...given, content: await buffer(given.bytes), asked: server.asked };
};

describe('the rest of a document', () => {
  it('is asked for by its first byte and the name of its bytes, and begins there', async () => {
    const given = await download(part({}));
    expect(given).toMatchObject({ length: pdf.length, from: 4, validator: '"a"' });
    expect(given.content).toEqual(pdf.subarray(4));
    expect(given.asked).toMatchObject([
      { url: '/api/v1/documents/a.content?retain=true', headers: { range: 'bytes=4-', 'if-range': '"a"' } },
    ]);
  });

  it('is all of it once more where the service gives no parts or has other bytes', async () => {
    const given = await download(whole({ etag: '"b"' }));
    expect([given.from, given.length, given.content]).toEqual([undefined, pdf.length, pdf]);
  });

  it.each([
    ['with another name', part({ etag: '"b"' }), 'document-gone'],
    [
      'from another byte on',
      part({ 'content-range': `bytes 5-${pdf.length - 1}/${pdf.length}` }),
      'cloud-protocol',
    ],
    ['without its end', part({ 'content-range': `bytes 4-7/${pdf.length}` }), 'cloud-protocol'],
    ['of an unknown whole', part({ 'content-range': `bytes 4-${pdf.length - 1}/*` }), 'cloud-protocol'],
    ['in no range', part({ 'content-range': 'words 1-2/3' }), 'cloud-protocol'],
    ['that is not there (416)', answerStatus(416), 'cloud-rejected'],
    ['for an expired token (401)', answerStatus(401), 'user-token-refused'],
  ] as const)('%s is refused', async (_, reply, code) => {
    expect((await problemOf(download(reply))).code).toBe(code);
  });

  it('is refused where nobody asked for it', async () => {
    expect((await problemOf(download(part({}), asking))).code).toBe('cloud-protocol');
  });
});

describe('the name of exactly these bytes', () => {
  const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
  it.each<[string, Record<string, string>, string | undefined]>([
    ['is a strong ETag', { etag: '"a-1"' }, '"a-1"'],
    ['is no weak ETag', { etag: 'W/"a-1"', 'last-modified': 'Fri, 20 Nov 2026 12:00:00 GMT' }, undefined],
    [
      'is the date of the last change, long enough ago',
      { date, 'last-modified': 'Sat, 21 Nov 2026 11:59:59 GMT' },
      'Sat, 21 Nov 2026 11:59:59 GMT',
    ],
    ['is no date within the same second', { date, 'last-modified': date }, undefined],
    ['is missing where the service says nothing', {}, undefined],
  ])('%s', async (_, headers, validator) => {
    expect((await download(whole(headers), asking)).validator).toBe(validator);
  });
});
