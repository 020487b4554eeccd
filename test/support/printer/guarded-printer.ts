/**
 * A scripted printer behind HTTP authentication (RFC 7616, RFC 7617), which checks what it is shown with code of its
 * own, and keeps all that it was shown.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { decodeMessage } from '../../../src/ipp/decode.ts';
import { attribute } from '../../../src/ipp/message.ts';
import type { Operation } from '../../../src/ipp/registry.ts';
import { enumValue } from '../../../src/ipp/values.ts';
import type { TlsIdentity } from './scripted-printer.ts';
import { answer, idlePrinter, jobAnswer, operationOf, startHttp } from './scripted-printer.ts';

export const password = 'correct horse battery staple';
const realm = 'Office "west"';

export interface Guard {
  readonly scheme: 'Basic' | 'MD5' | 'SHA-256' | 'MD5-sess' | 'SHA-256-sess';
  /** Asks as RFC 2069 has it, without qop. */
  readonly hasNoQop?: boolean;
  /** How many requests a nonce is good for. */
  readonly usesOfNonce?: number;
  /** Names the next nonce in each answer. */
  readonly namesNext?: boolean;
  /** Asks for nothing before these. */
  readonly only?: readonly Operation[];
  readonly tls?: TlsIdentity;
}

export interface Visit {
  readonly operation: Operation | undefined;
  readonly status: number;
  readonly authorization: string | undefined;
  /** Octets behind the IPP message. */
  readonly document: number;
}

export async function startGuardedPrinter(guard: Guard) {
  const visits: Visit[] = [];
  let nonce = 1;
  let uses = 0;
  let lastCount = 0;
  const renew = () => {
    nonce += 1;
    uses = 0;
    lastCount = 0;
  };

  function verdict({ headers, url = '' }: IncomingMessage): 'ok' | 'wrong' | 'stale' {
    const { authorization } = headers;
    if (authorization === undefined) {
      if (guard.usesOfNonce !== undefined) renew();
      return 'wrong';
    }
    if (guard.scheme === 'Basic') {
      const said = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
      return said === `alice:${password}` ? 'ok' : 'wrong';
    }
    const said = Object.fromEntries(
      [...authorization.matchAll(/([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^,\s]+))/g)].map(
        ([, name = '', quoted, bare]) => [name, quoted?.replaceAll('\\', '') ?? bare ?? ''],
      ),
    );
    if (said['nonce'] !== `nonce-${nonce}`) return 'stale';
    const hash = (text: string) =>
      createHash(guard.scheme.startsWith('MD5') ? 'md5' : 'sha256')
        .update(text)
        .digest('hex');
    const own = hash(`alice:${realm}:${password}`);
    const secret = guard.scheme.endsWith('-sess') ? hash(`${own}:${said['nonce']}:${said['cnonce']}`) : own;
    const inOldForm = `${secret}:${said['nonce']}:${hash(`POST:${url}`)}`;
    const inNewForm = `${secret}:${said['nonce']}:${said['nc']}:${said['cnonce']}:auth:${hash(`POST:${url}`)}`;
    const expected = hash(guard.hasNoQop ? inOldForm : inNewForm);
    if (guard.hasNoQop) return said['response'] === expected && said['qop'] === undefined ? 'ok' : 'wrong';
    if (said['response'] !== expected || said['opaque'] !== 'o') return 'wrong';
    const count = Number.parseInt(said['nc'] ?? '', 16);
    if (count <= lastCount || (uses += 1) > (guard.usesOfNonce ?? 1000)) {
      renew();
      return 'stale';
    }
    lastCount = count;
    return 'ok';
  }

  const challenge = (isStale: boolean) =>
    guard.scheme === 'Basic'
      ? `Basic realm="printer"`
      : [
          'Negotiate abc==, Digest realm="later", nonce="x", algorithm=SHA-512-256, qop="auth"',
          `Digest realm="Office \\"west\\"", nonce="nonce-${nonce}", opaque="o", algorithm=${guard.scheme}, ` +
            `${guard.hasNoQop ? 'domain="/a, /b"' : 'qop="auth, auth-int"'}${isStale ? ', stale=TRUE' : ''}`,
        ];

  const uri = await startHttp(async (request, response) => {
    const { message, rest } = decodeMessage(await buffer(request));
    const operation = operationOf(message);
    const isFree = guard.only !== undefined && (operation === undefined || !guard.only.includes(operation));
    const said = isFree ? 'ok' : verdict(request);
    const status = said === 'ok' ? 200 : 401;
    const { authorization } = request.headers;
    visits.push({ operation, status, authorization, document: rest.length });
    if (said !== 'ok') {
      response.writeHead(401, { 'www-authenticate': challenge(said === 'stale') }).end();
      return;
    }
    if (guard.namesNext && !isFree) {
      renew();
      response.setHeader('authentication-info', `nextnonce="nonce-${nonce}", qop=auth`);
    }
    const isAboutJob = operation !== 'Get-Printer-Attributes';
    answer(response, message, isAboutJob ? jobAnswer(attribute('job-state', enumValue(9))) : idlePrinter());
  }, guard.tls);
  return { uri, visits, forgetNonces: renew };
}
