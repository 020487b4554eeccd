/** Messages by mail to a server of other hands: STARTTLS, TLS from the first byte, a password, and a certificate to trust. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { authorities } from '../../src/cloud/http/dispatcher.ts';
import { Secret } from '../../src/core/secret.ts';
import type { MailDeps } from '../../src/notify/mail.ts';
import { createMail } from '../../src/notify/mail.ts';
import type { Message } from '../../src/notify/message.ts';
import { makeCertificate } from '../support/certificates.ts';
import { problemOf } from '../support/cloud/cloud-under-test.ts';
import { needsPeer } from '../support/needs.ts';
import { freePort } from '../support/ports.ts';
import { startProcess, whenReady } from '../support/process-group.ts';
import { eventually, withoutLimit } from '../support/patience.ts';

type Security = MailDeps['server']['security'];

interface Taken {
  readonly tls: boolean;
  readonly from: string;
  readonly to: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const authority = makeCertificate({ commonName: 'Mail authority' });
const certificate = makeCertificate({ commonName: 'mail', hosts: ['127.0.0.1'], issuer: authority });

async function startMailServer(security: Security) {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'platen-mail-'));
  opened.defer(() => rmSync(folder, { recursive: true }));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(cert, certificate.pem);
  writeFileSync(key, certificate.key.export({ type: 'pkcs8', format: 'pem' }));
  const port = await freePort();
  const script = new URL('mail-server.py', import.meta.url).pathname;
  const server = opened.use(
    await startProcess('/usr/bin/python3', [script, security, cert, key, String(port)], {}),
  );
  await whenReady(
    'aiosmtpd',
    () => {
      if (!server.log().includes('ready')) throw new Error('it has not said so');
    },
    server,
  );
  const held = opened.move();
  return {
    port,
    taken: (): readonly Taken[] =>
      server
        .log()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line): Taken => JSON.parse(line)),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const message: Message = {
  id: 'msg_0011223344556677',
  at: '2026-11-21T12:31:00.000Z',
  from: { gateway: 'gateway-ä', version: '1.2.3' },
  came: [
    {
      code: 'printer-unreachable',
      severity: 'error',
      scope: 'lobby',
      subject: 'printer',
      since: '2026-11-21T12:00:00.000Z',
    },
  ],
  lasting: [],
  went: [],
  heldBack: 0,
};

const mailBy = (security: Security, port: number, over: Partial<MailDeps> = {}) =>
  createMail({
    id: 'mail-1',
    name: 'mail 127.0.0.1',
    server: { host: '127.0.0.1', port, security },
    ...(security === 'plain' ? {} : { user: 'platen', password: new Secret('the password') }),
    from: 'platen@gateway.example',
    to: ['one@example.com', 'two@example.com'],
    authorities: () => authorities(authority.pem),
    ...over,
  });

needsPeer('/usr/lib/python3/dist-packages/aiosmtpd', 'python3-aiosmtpd')('mail to aiosmtpd', () => {
  it.each<Security>(['starttls', 'tls', 'plain'])('is taken, as it was written: %s', async (security) => {
    await using server = await startMailServer(security);
    await mailBy(security, server.port).tell(message, withoutLimit());
    const taken = await eventually(() => {
      const all = server.taken();
      if (all.length === 0) throw new Error('nothing was taken');
      return all;
    });
    expect(taken).toMatchObject([
      {
        tls: security !== 'plain',
        from: 'platen@gateway.example',
        to: ['one@example.com', 'two@example.com'],
        headers: {
          Subject: '[Platen] gateway-ä: printer-unreachable (lobby)',
          'Auto-Submitted': 'auto-generated',
          'Message-ID': '<msg_0011223344556677@gateway.example>',
        },
        text: expect.stringContaining('Gateway gateway-ä, Platen 1.2.3'),
      },
    ]);
  });

  it('a wrong password is told with the key that is to be corrected, and is in no message', async () => {
    await using server = await startMailServer('tls');
    const wrong = mailBy('tls', server.port, { password: new Secret('hidden') });
    const { message: said } = await problemOf(wrong.tell(message, withoutLimit()));
    expect(said).toBe(
      'mail 127.0.0.1: the mail server answered 535: it does not take the user name and the password',
    );
    expect(server.taken()).toEqual([]);
  });

  it('who shows a certificate that is not trusted, or offers no TLS, gets neither password nor message', async () => {
    await using tls = await startMailServer('tls');
    const stranger = mailBy('tls', tls.port, { authorities: () => authorities(undefined) });
    expect((await problemOf(stranger.tell(message, withoutLimit()))).message).toMatch(/certificate/i);
    await using plain = await startMailServer('plain');
    const { message: said } = await problemOf(mailBy('starttls', plain.port).tell(message, withoutLimit()));
    expect(said).toBe('mail 127.0.0.1: the mail server answered 454: it offers no TLS');
    expect([...tls.taken(), ...plain.taken()]).toEqual([]);
  });
});
