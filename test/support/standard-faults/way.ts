/**
 * The way from the agent to the cloud, which breaks where a test wants it: the name `localhost` leads to the cloud, to
 * an address where nobody listens, to a stranger with a certificate of his own, or to nothing. Over TLS.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulatedCloud } from '../../../src/simulator/cloud/cloud.ts';
import type { TlsIdentity } from '../../../src/simulator/loopback-server.ts';
import type { Certificate } from '../certificates.ts';
import { makeCertificate } from '../certificates.ts';

export type WayFault = 'refused' | 'not found' | 'a stranger';

export interface Way extends AsyncDisposable {
  readonly lookup: LookupFunction;
  /** The authority that the cloud's certificate comes from, PEM. */
  readonly caFile: string;
  readonly tls: TlsIdentity;
  /** Puts the stranger beside the cloud, on the same port. */
  openFor(cloud: SimulatedCloud): Promise<void>;
  /** For the next connection alone, or until it is mended; the connections that are open end. */
  break(fault: WayFault, times: 'once' | 'always'): void;
  mend(): void;
  /** How many connections it has kept from the cloud. */
  failures(): number;
}

const addresses = { good: '127.0.0.1', 'a stranger': '127.0.0.2', refused: '127.0.0.3' } as const;

const identityOf = ({ pem, key }: Certificate): TlsIdentity => ({
  cert: pem,
  key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
});
const authority = makeCertificate({ commonName: 'Test authority' });
const own = makeCertificate({ commonName: 'cloud', hosts: ['localhost'], issuer: authority });
const strangers = makeCertificate({ commonName: 'stranger', hosts: ['localhost'] });

export function createWay(): Way {
  const folder = mkdtempSync(join(tmpdir(), 'platen-way-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.pem);
  const stranger = createServer(identityOf(strangers));
  let cloud: SimulatedCloud | undefined;
  let broken: { fault: WayFault; times: 'once' | 'always' } | undefined;
  let failures = 0;

  const take = (): WayFault | undefined => {
    const fault = broken?.fault;
    if (fault !== undefined) failures += 1;
    if (broken?.times === 'once') broken = undefined;
    return fault;
  };

  return {
    caFile,
    tls: identityOf(own),
    lookup(name, options, done) {
      const fault = take();
      if (fault === 'not found') {
        const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
        done(error, '', 4);
        return;
      }
      const address = addresses[fault ?? 'good'];
      if (options.all) done(null, [{ address, family: 4 }]);
      else done(null, address, 4);
    },
    async openFor(one) {
      cloud = one;
      stranger.listen(Number(new URL(one.baseUrl).port), addresses['a stranger']);
      await once(stranger, 'listening');
    },
    break(fault, times) {
      broken = { fault, times };
      cloud?.dropConnections();
    },
    mend() {
      broken = undefined;
    },
    failures: () => failures,
    async [Symbol.asyncDispose]() {
      const closed = once(stranger, 'close');
      stranger.close();
      if (cloud) await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
