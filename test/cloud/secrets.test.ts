/** I5: no secret, card number, name or title in anything the client says, whatever the service does. */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import { asking, cloudAt, userToken } from '../support/cloud/cloud-under-test.ts';
import type { Reply } from '../support/cloud/scripted-server.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';

const device = { clientId: 'c-1', seed: new Secret(Buffer.from('canary'.padEnd(32)).toString('base64')) };
const record = {
  jobType: 'PRINT',
  userName: 'canary-user',
  providerId: 4,
  title: 'canary-title',
  serialNumber: 'SN-1',
  dateTime: '2026-11-21T13:00:00+01:00',
} as const;

/** Services that repeat what they were sent, in every place an error might be made of. */
const echoes: Readonly<Record<string, Reply>> = {
  'as an OAuth error': (response, asked, count) =>
    answerJson({ error: asked.body, error_description: asked.body, x_error_code: asked.body }, 400)(
      response,
      asked,
      count,
    ),
  'as a known OAuth error': (response, asked, count) =>
    answerJson({ error: 'access_denied', error_description: asked.body }, 400)(response, asked, count),
  'as no JSON': (response, asked) => response.end(`${asked.body}${JSON.stringify(asked.headers)}`),
  'as a field of the wrong type': (response, asked, count) =>
    answerJson({
      access_token: [asked.body],
      token: asked.body,
      items: asked.body,
      device_code: [asked.body],
    })(response, asked, count),
  'in the headers': (response, asked, count) =>
    answerStatus(302, { location: `http://x/?${asked.body}`, 'x-body': asked.body })(response, asked, count),
  'as an answer that is no HTTP': ({ socket }, asked) =>
    socket?.end(`${asked.body}\r\n${JSON.stringify(asked.headers)}\r\n`),
  'cut short': ({ socket }, asked) =>
    socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n${asked.body}`),
  'as a refusal': (response, asked, count) =>
    answerJson({ message: asked.headers, error: asked.headers.authorization }, 401)(response, asked, count),
};

describe('an error', () => {
  it.each(Object.entries(echoes))('repeats nothing that the service sends back %s (I5)', async (_, echo) => {
    await using server = await startServer(echo);
    await using under = cloudAt(server.url);
    const { authorization, documents, history, logins, outputPorts } = under.cloud;
    const ended = await Promise.allSettled([
      logins.login({ kind: 'card', card: new CardNumber('CANARY-CARD') }, asking),
      documents.ready(userToken, asking),
      documents.remove('a', userToken, asking),
      history.post(record, asking),
      outputPorts.list(asking),
      authorization.register(device, 'repeated', asking),
      authorization.requestToken(device, new Secret('canary-device-code'), asking),
      authorization.refresh(device, new Secret('canary-refresh-token'), asking),
    ]);

    const errors = ended.flatMap((one) =>
      one.status === 'rejected' && one.reason instanceof Error ? [one.reason] : [],
    );
    // Some JSON without an error code is an acceptance of a history record; everything else fails.
    expect(errors.length).toBeGreaterThanOrEqual(ended.length - 1);
    const logged: string[] = [];
    const log = createLog({ level: 'debug', destination: { write: (line) => logged.push(line) } });
    for (const error of errors) log.error('a call failed', { error });
    const said = [
      ...under.logged,
      ...logged,
      ...errors.map((error) => `${error.message} ${error.stack}`),
    ].join('\n');
    expect(said).not.toMatch(/canary/i);
    expect(under.reached.map((state) => (state === 'up' ? state : state.message)).join()).not.toMatch(
      /canary/i,
    );
  });

  it('the client itself shows nothing when it is looked into', async () => {
    await using under = cloudAt('http://127.0.0.1:1');
    expect(inspect(under.cloud, { depth: 10 })).not.toContain('canary');
    expect(JSON.stringify(under.cloud)).not.toContain('canary');
  });
});
