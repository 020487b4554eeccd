/** What goes to receivers that are not the service, by the service's rules (INVARIANTS.md T22, T23, T25). */
import { createServer } from 'node:https';
import { expect, it, vi } from 'vitest';
import type { PostingOptions } from '../../src/cloud/http/posting.ts';
import { createPosting } from '../../src/cloud/http/posting.ts';
import { Secret } from '../../src/core/secret.ts';
import { seconds } from '../../src/core/duration.ts';
import { systemClock } from '../../src/core/clock.ts';
import { makeCertificate } from '../support/certificates.ts';
import { problemOf } from '../support/cloud/cloud-under-test.ts';
import type { Reply, ScriptedServer } from '../support/cloud/scripted-server.ts';
import { answerJson, answerStatus, listen, startServer } from '../support/cloud/scripted-server.ts';
import { withoutLimit } from '../support/patience.ts';

const authority = makeCertificate({ commonName: 'Test authority' });
const certificate = makeCertificate({ commonName: 'hook', hosts: ['127.0.0.1'], issuer: authority });

const posting = (over: Partial<PostingOptions> = {}) =>
  createPosting({ section: 'notify', version: '1.2.3', clock: systemClock, ...over });

const letterTo = ({ url }: ScriptedServer) => ({
  url: new URL('/T00/hidden?key=hidden', url),
  headers: { 'webhook-id': 'msg_1' },
  body: Buffer.from('{"a":"ä"}'),
});

const startTls = (reply: Reply) =>
  listen(reply, 'https', (listener) =>
    createServer(
      { cert: certificate.pem, key: certificate.key.export({ type: 'pkcs8', format: 'pem' }) },
      listener,
    ),
  );

it('posts the octets as they are, under the names given, and hands back what was answered', async () => {
  await using server = await startServer(answerJson({ partialSuccess: {} }));
  await using sender = posting();
  const answer = await sender.post(letterTo(server), withoutLimit());
  expect(answer.toString()).toBe('{"partialSuccess":{}}');
  expect(server.asked).toMatchObject([
    {
      method: 'POST',
      url: '/T00/hidden?key=hidden',
      body: '{"a":"ä"}',
      headers: { 'webhook-id': 'msg_1', 'content-type': 'application/json', 'user-agent': 'Platen/1.2.3' },
    },
  ]);
});

it.each<[string, Reply, object]>([
  ['is sent elsewhere', answerStatus(302, { location: 'http://169.254.169.254/' }), { status: 302 }],
  ['is refused', answerStatus(410), { status: 410 }],
  ['is asked to wait', answerStatus(429, { 'retry-after': '90' }), { status: 429, retryAfter: seconds(90) }],
  ['gets no answer at all', (response) => response.destroy(), { status: undefined }],
  ['is answered without end', answerJson('x'.repeat(100_000)), { code: 'cloud-protocol' }],
])('who %s does not try again or elsewhere, and nobody is told the path', async (_, reply, seen) => {
  await using server = await startServer(reply);
  await using sender = posting();
  const problem = await problemOf(sender.post(letterTo(server), withoutLimit()));
  expect(problem).toMatchObject(seen);
  expect(problem.message).toContain(new URL(server.url).host);
  expect(problem.message).not.toContain('hidden');
  expect(server.asked).toHaveLength(1);
});

it('an authority that is not trusted is named by the key that names it', async () => {
  await using server = await startTls(answerJson({}));
  await using stranger = posting();
  const problem = await problemOf(stranger.post(letterTo(server), withoutLimit()));
  expect(problem.message).toContain('not trusted here. Set notify.caFile');
  expect(server.asked).toEqual([]);
  await using trusting = posting({ ca: authority.pem });
  await trusting.post(letterTo(server), withoutLimit());
  expect(server.asked).toHaveLength(1);
});

it('an address elsewhere goes through the proxy of the environment, unless one is named', async () => {
  await using named = await startServer(answerStatus(200));
  const far = { url: new URL('https://hooks.invalid/'), headers: {}, body: Buffer.from('{}') };
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
  try {
    await using byTheEnvironment = posting();
    expect((await problemOf(byTheEnvironment.post(far, withoutLimit()))).message).toContain('ECONNREFUSED');
    await using byName = posting({ proxyUrl: new Secret(named.url) });
    const problem = await problemOf(byName.post(far, withoutLimit()));
    expect(problem.message).not.toContain('ECONNREFUSED');
  } finally {
    vi.unstubAllEnvs();
  }
});
