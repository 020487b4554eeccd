/**
 * What is done to a stage of the doctor before it is called: a ledger is touched, a certificate made, an agent played.
 */
import { writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeCertificate } from '../support/certificates.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';
import type { DoctorStage } from './doctor-stage.ts';

/** A state directory as an agent leaves it. */
export async function asAfterARun({ stateDir }: DoctorStage): Promise<void> {
  await (await openSteadyStore(stateDir))[Symbol.asyncDispose]();
}

export function inLedger({ stateDir }: DoctorStage, sql: string): void {
  using database = new DatabaseSync(join(stateDir, 'platen.db'));
  database.exec(sql);
}

const authority = makeCertificate({ commonName: 'Test authority' });
const fromNow = (days: number) => new Date(Date.now() + days * 86_400_000);

/** A service of TLS whose certificate is good for so many days. */
export async function atTls(
  stage: DoctorStage,
  days: number,
  options: { isTrusted: boolean },
): Promise<void> {
  const hosts = ['127.0.0.1'];
  const notAfter = fromNow(days);
  const { pem: cert, key } = makeCertificate({ commonName: 'cloud', hosts, issuer: authority, notAfter });
  const server = createTlsServer(
    { cert, key: key.export({ type: 'pkcs8', format: 'pem' }) },
    (_request, response) => response.setHeader('content-type', 'application/json').end('{"version":"1"}'),
  );
  const url = `https://127.0.0.1:${await stage.listen(server)}`;
  await writeFile(join(stage.folder, 'ca.pem'), authority.pem);
  const caFile = options.isTrusted ? { caFile: 'ca.pem' } : {};
  await stage.change({ cloud: { baseUrl: url, authUrl: url, ...caFile } });
}

export const says = (status: object) => (stage: DoctorStage) =>
  stage.answerAsAgent((request, response) => {
    const isStatus = request.url === '/status';
    response
      .writeHead(isStatus ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(status));
  });
