/** Logging in to a printer (RFC 7616, RFC 7617; INVARIANTS.md T12): the document never meets a 401. */
import { describe, expect, it } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { PrinterMemory } from '../../../src/domain/ports/printer-memory.ts';
import { isProblem } from '../../../src/domain/problem/problem.ts';
import {
  challengesOf,
  digestAuthorization,
  strongest,
} from '../../../src/printing/ipp/wire/http-credentials.ts';
import type { Guard } from '../../support/printer/guarded-printer.ts';
import { password, startGuardedPrinter } from '../../support/printer/guarded-printer.ts';
import { openPrinter, sendTo } from '../../support/printer/printers.ts';
import { pdfOf } from '../../support/printer/samples.ts';
import { buffer } from 'node:stream/consumers';
import { decodeMessage } from '../../../src/ipp/decode.ts';
import { answer, idlePrinter, startHttp } from '../../support/printer/scripted-printer.ts';
import { withoutLimit } from '../../support/patience.ts';

const noMemory: PrinterMemory = { recall: () => undefined, keep: () => {}, all: () => [] };
const open = (uri: string, secret = password) =>
  openPrinter(uri, {
    access: {
      memory: noMemory,
      tls: { trust: 'ca' },
      credentials: { username: 'alice', password: new Secret(secret) },
      chance: systemChance,
    },
  });

const guards: readonly Guard[] = [
  { scheme: 'Basic' },
  { scheme: 'MD5' },
  { scheme: 'SHA-256' },
  { scheme: 'SHA-256', namesNext: true },
  { scheme: 'MD5', only: ['Create-Job', 'Send-Document'] },
  { scheme: 'SHA-256', usesOfNonce: 2 },
  { scheme: 'MD5', usesOfNonce: 1 },
  { scheme: 'MD5-sess' },
  { scheme: 'SHA-256-sess' },
  { scheme: 'MD5', hasNoQop: true },
  { scheme: 'SHA-256', hasNoQop: true },
];

describe('a printer that asks for a login', () => {
  it.each(guards)('gets it, and each document once, behind an accepted one: %j', async (guard) => {
    const { uri, visits } = await startGuardedPrinter(guard);
    const { printer, recorded } = open(uri);
    for (let n = 0; n < 3; n += 1) {
      const job = await sendTo({ printer }, pdfOf(5000));
      expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
    }
    expect(visits.filter(({ document }) => document > 0)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ status: 200, document: 5000 }) as object),
    );
    expect(recorded.text()).not.toContain(password);
  });

  it('has forgotten its nonces in a restart: the next request logs in anew, and is made once more', async () => {
    const { uri, visits, forgetNonces } = await startGuardedPrinter({ scheme: 'SHA-256' });
    const { printer } = open(uri);
    await printer.describe(withoutLimit());
    forgetNonces();
    await printer.describe(withoutLimit());
    expect(visits.map(({ status }) => status)).toEqual([401, 200, 401, 200]);
  });

  it.each(guards.slice(0, 3))(
    'refuses wrong ones: tried once a call, told, never shown: %j',
    async (guard) => {
      const { uri, visits } = await startGuardedPrinter(guard);
      const { printer, recorded } = open(uri, 'wrong-password-canary');
      const refusal = await printer.describe(withoutLimit()).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'printer-denied', status: 401, retry: 'after-repair' });
      expect(isProblem(refusal) && JSON.stringify([refusal.message, refusal])).not.toContain('canary');
      expect(visits.filter(({ authorization }) => authorization !== undefined)).toHaveLength(1);
      expect(recorded.text()).not.toContain('canary');
    },
  );

  it('in the middle of a document only: it is in doubt, and not sent again (B.1)', async () => {
    const { uri, visits } = await startGuardedPrinter({ scheme: 'MD5', only: ['Send-Document'] });
    const { printer } = open(uri);
    const documents = () => visits.filter(({ document }) => document > 0).map(({ status }) => status);
    await expect(sendTo({ printer }, pdfOf(5000))).rejects.toMatchObject({
      code: 'printer-denied',
      delivery: 'perhaps',
    });
    expect(documents()).toEqual([401]);
    // From now on it is known that this printer asks.
    await sendTo({ printer }, pdfOf(5000));
    expect(documents()).toEqual([401, 200]);
  });

  it('and gets none says so', async () => {
    const { uri } = await startGuardedPrinter({ scheme: 'Basic' });
    await expect(openPrinter(uri).printer.describe(withoutLimit())).rejects.toMatchObject({
      code: 'printer-denied',
      message: expect.stringContaining('set printer.credentials') as string,
    });
  });

  it.each([
    ['Bearer', 'neither Basic nor Digest'],
    ['Digest realm="r", nonce="n", qop="auth-int"', 'neither Basic nor Digest'],
    ['Digest realm="r", nonce="n", algorithm=MD5-sess', 'neither Basic nor Digest'],
  ])('of a kind that is not spoken is told: %s', async (asked, message) => {
    const uri = await startHttp((_, response) =>
      response.writeHead(401, { 'www-authenticate': asked }).end(),
    );
    await expect(open(uri).printer.describe(withoutLimit())).rejects.toMatchObject({
      code: 'printer-denied',
      message: expect.stringContaining(message) as string,
    });
  });
});

it('a password is never sent in the clear to another machine (T12)', async () => {
  const shown: (string | undefined)[] = [];
  const uri = await startHttp((request, response) => {
    shown.push(request.headers.authorization);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="printer"' }).end();
  });
  // A name that leads to this machine, and is no loopback address by itself.
  const { printer } = openPrinter(uri.replace('127.0.0.1', 'printer.example'), {
    lookup: (_name, { all }, done) =>
      all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
    access: {
      memory: noMemory,
      tls: { trust: 'ca' },
      credentials: { username: 'alice', password: new Secret(password) },
      chance: systemChance,
    },
  });
  await expect(printer.describe(withoutLimit())).rejects.toMatchObject({
    code: 'printer-denied',
    message: expect.stringContaining('without encryption') as string,
  });
  expect(shown).toEqual([undefined]);
});

it('a redirect takes no credentials anywhere (T12)', async () => {
  let visits = 0;
  const canary = await startHttp((_, response) => {
    visits += 1;
    response.end();
  });
  const uri = await startHttp(({ headers }, response) =>
    headers.authorization === undefined
      ? response.writeHead(401, { 'www-authenticate': 'Basic realm="printer"' }).end()
      : response.writeHead(307, { location: canary.replace('ipp:', 'http:') }).end(),
  );
  await expect(open(uri).printer.describe(withoutLimit())).rejects.toMatchObject({
    code: 'printer-moved',
  });
  expect(visits).toBe(0);
});

describe('Digest', () => {
  const parameters = {
    realm: 'http-auth@example.org',
    nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
    opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
    qop: 'auth, auth-int',
  };
  const use = {
    credentials: { username: 'Mufasa', password: new Secret('Circle of Life') },
    method: 'GET',
    path: '/dir/index.html',
    count: 1,
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  };

  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('answers the example of RFC 7616 section 3.9.1 with %s', (algorithm, response) => {
    const challenge = { scheme: 'digest', parameters: { ...parameters, algorithm } };
    expect(digestAuthorization({ ...use, challenge })).toContain(`response="${response}"`);
  });

  it('writes a name beyond ASCII as RFC 7616 section 3.9.2 does', () => {
    const credentials = { ...use.credentials, username: 'Jäsøn Doe' };
    const challenge = { scheme: 'digest', parameters };
    expect(digestAuthorization({ ...use, credentials, challenge })).toContain(
      `username*=UTF-8''J%C3%A4s%C3%B8n%20Doe`,
    );
  });
});

it.each<[string | readonly string[], string | undefined]>([
  ['Basic realm="a", Digest realm="b", nonce="n", qop="auth"', 'b'],
  ['Digest realm="b", nonce="n", qop=auth, Digest realm="c", nonce="n", algorithm=SHA-256, qop=auth', 'c'],
  [['Negotiate', 'Basic realm="a, \\"b\\", Digest"'], 'a, "b", Digest'],
  ['Digest nonce="n", qop="auth-int"', undefined],
  ['Digest realm="old", nonce="n", Digest realm="new", nonce="n", qop="auth"', 'new'],
  ['Digest realm="old, and quoted", nonce=bm9uY2U==, Basic realm="plain"', 'old, and quoted'],
  ['Digest realm="b", nonce="n", algorithm=MD5-sess, Basic realm="plain"', 'plain'],
  ['Digest realm="b", nonce="n", algorithm=SHA-512-256, qop="auth", Basic realm="plain"', 'plain'],
  ['=,,"\\', undefined],
])('of %j the strongest that can be answered is taken', (header, realm) => {
  expect(strongest(challengesOf(header))?.parameters['realm']).toBe(realm);
});

it('a nonce that was too old at its first use is asked for once more', async () => {
  let asked = 0;
  const uri = await startHttp(async (request, response) => {
    const { message } = decodeMessage(await buffer(request));
    asked += 1;
    if (asked >= 3) return answer(response, message, idlePrinter());
    const challenge = `Digest realm="r", nonce="n${asked}", qop="auth"${asked === 2 ? ', stale=true' : ''}`;
    return response.writeHead(401, { 'www-authenticate': challenge }).end();
  });
  expect(await open(uri).printer.describe(withoutLimit())).toMatchObject({ ready: true });
  expect(asked).toBe(3);
});
