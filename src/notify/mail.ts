/**
 * Messages by mail: submission with STARTTLS (RFC 6409, RFC 3207) or TLS from the first byte (RFC 8314). Plain text is
 * for a server on this machine only. The library is loaded with the first message.
 */
import { createSecureContext } from 'node:tls';
import { seconds } from '../core/duration.ts';
import type { Secret } from '../core/secret.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { Message } from './message.ts';
import { bodyText, subjectLine } from './message.ts';
import type { MessageWay } from './way.ts';

export interface MailDeps {
  readonly id: string;
  readonly name: string;
  readonly server: {
    readonly host: string;
    readonly port: number;
    readonly security: 'tls' | 'starttls' | 'plain';
  };
  readonly user?: string | undefined;
  readonly password?: Secret | undefined;
  readonly from: string;
  readonly to: readonly string[];
  /** PEM of all trusted authorities. */
  authorities(): readonly string[];
}

/** Between two octets; the caller's signal limits the whole. */
const silence = seconds(20);

export const createMail = (deps: MailDeps): MessageWay => ({
  id: deps.id,
  name: deps.name,
  tell: (message, call) => send(message, deps, call),
});

async function send(message: Message, deps: MailDeps, { signal }: CallOptions): Promise<void> {
  const { createTransport } = await import('nodemailer');
  signal.throwIfAborted();
  const transport = createTransport(connectionOf(deps));
  const giveUp = () => transport.close();
  signal.addEventListener('abort', giveUp);
  try {
    await Promise.race([transport.sendMail(letterOf(message, deps)), refusedBy(signal)]);
  } catch (cause) {
    throw new Problem('notify-unreachable', `${deps.name}: ${wordsOf(cause)}`, { cause });
  } finally {
    signal.removeEventListener('abort', giveUp);
    transport.close();
  }
}

function connectionOf({ server, user, password, authorities }: MailDeps) {
  const { host, port, security } = server;
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'plain',
    ...(security === 'plain'
      ? {}
      : {
          tls: {
            secureContext: createSecureContext({ minVersion: 'TLSv1.2', ca: [...authorities()] }),
            rejectUnauthorized: true,
          },
        }),
    ...(user === undefined || password === undefined ? {} : { auth: { user, pass: password.reveal() } }),
    connectionTimeout: silence,
    greetingTimeout: silence,
    socketTimeout: silence,
    dnsTimeout: silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const letterOf = (message: Message, { from, to }: MailDeps) => ({
  from,
  to: [...to],
  subject: subjectLine(message),
  text: bodyText(message),
  messageId: `<${message.id}@${from.split('@')[1]}>`,
  // RFC 3834: no answer is wanted.
  headers: { 'auto-submitted': 'auto-generated' },
});

const refusedBy = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

/** The server's answer or the error of the connection; never the content of the mail. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'for no reason given';
  if (error.name === 'TimeoutError') return 'too slow';
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  if (responseCode !== undefined)
    return `the mail server answered ${responseCode}${refusals[responseCode] ?? ''}`;
  const inner = error.cause instanceof Error ? error.cause : error;
  return `${code ?? error.name}: ${inner.message}`;
}

/** RFC 5321, RFC 4954: the refusals that an administrator can do something about. */
const refusals: Readonly<Record<number, string>> = {
  454: ': it offers no TLS',
  530: ': it asks for a user name and a password (notify.mail.user)',
  535: ': it does not take the user name and the password',
  550: ': it does not take mail for, or from, one of the addresses',
  553: ': it does not take mail for, or from, one of the addresses',
};
