/**
 * Who stands between the terminal and an `ipps` printer at the first contact, and asks for a login (INVARIANTS.md T12,
 * T13). A pin of the first use tells the printer from others later on; it tells nobody who was there first.
 */
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { Secret } from '../../src/core/secret.ts';
import { createPrinterMemory } from '../../src/store/files/printer-memory.ts';
import type { Certificate } from '../support/certificates.ts';
import { identityOf, makeCertificate } from '../support/certificates.ts';
import type { Guard } from '../support/printer/guarded-printer.ts';
import { password, startGuardedPrinter } from '../support/printer/guarded-printer.ts';
import { openPrinter } from '../support/printer/printers.ts';
import { temporaryDirectory } from '../support/printer/samples.ts';
import { withoutLimit } from '../support/patience.ts';

async function meetAt(scheme: Guard['scheme'], certificate: Certificate, authority?: Certificate) {
  const { uri, visits } = await startGuardedPrinter({ scheme, tls: identityOf(certificate) });
  const memory = createPrinterMemory({ stateDir: temporaryDirectory(), terminal: 'lobby' });
  const { printer } = openPrinter(uri, {
    access: {
      memory,
      tls: { trust: 'auto', caFile: authority?.pem },
      credentials: { username: 'alice', password: new Secret(password) },
      chance: systemChance,
    },
  });
  const place = new URL(uri.replace('ipps:', 'https:')).host;
  /** What `platen trust --printer` writes. */
  const approve = () => {
    const { fingerprint256: fingerprint } = new X509Certificate(certificate.pem);
    memory.keep(place, { uri, certificate: { fingerprint, trustedBy: 'pin', approved: true } });
  };
  return { printer, approve, shown: () => visits.map(({ authorization }) => authorization) };
}

const selfSigned = () => makeCertificate({ commonName: 'printer', hosts: ['printer'] });

describe.each(['Basic', 'SHA-256'] as const)('a printer that asks for a login by %s', (scheme) => {
  it('is shown nothing before anybody approved its certificate, however often it asks (T12)', async () => {
    const { printer, shown } = await meetAt(scheme, selfSigned());
    for (let n = 0; n < 3; n += 1) {
      await expect(printer.describe(withoutLimit())).rejects.toMatchObject({
        code: 'printer-denied',
        message: expect.stringContaining('platen trust --printer') as string,
        delivery: 'not-sent',
      });
    }
    expect(shown().filter((one) => one !== undefined)).toEqual([]);
  });

  it('is logged in to as soon as it is approved, while the agent runs', async () => {
    const { printer, approve, shown } = await meetAt(scheme, selfSigned());
    await expect(printer.describe(withoutLimit())).rejects.toMatchObject({ code: 'printer-denied' });
    approve();
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true });
    await printer.describe(withoutLimit());
    expect(shown().filter((one) => one !== undefined)).toHaveLength(2);
  });

  it('is logged in to at once where an authority stands for it', async () => {
    const house = makeCertificate({ commonName: 'House' });
    const signed = makeCertificate({ commonName: 'printer', hosts: ['localhost'], issuer: house });
    const { printer } = await meetAt(scheme, signed, house);
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true });
  });
});
