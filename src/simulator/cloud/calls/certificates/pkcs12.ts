/** Reads the certificates of a PKCS#12 file (RFC 7292) with openssl(1), because Node cannot read this format. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { errorAnswer, errorCode, Refusal, refused } from '../../call.ts';

/** Gives PEM, the leaf first. Throws a 400 for a wrong file or password, and a 501 if openssl is missing. */
export async function certificatesIn(file: Buffer, password: string): Promise<readonly string[]> {
  const read = spawn('openssl', ['pkcs12', '-nokeys', '-passin', 'env:PKCS12_PASSWORD'], {
    env: { PATH: process.env['PATH'], PKCS12_PASSWORD: password },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    read.once('error', reject);
    read.once('close', resolve);
  });
  // The program may end before it has read all input.
  read.stdin.once('error', () => undefined);
  read.stdin.end(file);
  const [printed, code] = await Promise.all([text(read.stdout), ended]).catch((error: unknown) => {
    throw new Refusal(`no openssl: ${String(error)}`, errorAnswer(501, errorCode.notImplemented));
  });
  const found = printed.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g) ?? [];
  if (code !== 0 || found.length === 0) throw refused('no PKCS#12 file of this password', 400);
  return found;
}
