/** Logging in, TLS and gzip against the IPP Everywhere printer of CUPS (INVARIANTS.md D9, T12, T13). */
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { lookAtOffer } from '../../src/printing/ipp/printer-offer.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import { accessFor as accessOf, openPrinter, sendTo } from '../support/printer/printers.ts';
import { pdfOf, spooled } from '../support/printer/samples.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { needsPeer } from '../support/needs.ts';
import type { IppEveOptions } from './ippeveprinter.ts';
import { startIppEvePrinter } from './ippeveprinter.ts';
import { withoutLimit } from '../support/patience.ts';

const login = { user: 'alice', password: 'wand-canary' };

const accessFor = (password?: string) => accessOf(login.user, password);

async function setUp(options: IppEveOptions = {}) {
  const peer = await startIppEvePrinter(options);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  return { peer, secureUri: peer.uri.replace('ipp:', 'ipps:') };
}

needsPeer('dbus-daemon', 'dbus-daemon')('with a system bus', () => {
  needsPeer('ippeveprinter', 'cups-ipp-utils')('ippeveprinter', () => {
    needsPeer('libpam_wrapper.so', 'libpam-wrapper')('with a password', () => {
      it.each(['ipp:', 'ipps:'])('lets in who shows it the right password, over %s', async (scheme) => {
        const { peer } = await setUp({ login });
        const uri = peer.uri.replace('ipp:', scheme);
        const access = accessFor(login.password);
        const { place, approved } = await lookAtOffer(
          { uri, trust: systemTrust(), caFile: undefined, clock: systemClock },
          withoutLimit(),
        );
        access.memory.keep(place, approved);
        const { printer, recorded } = openPrinter(uri, { access });
        const job = await sendTo({ printer }, pdfOf(200_000));
        expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
        expect((await peer.documents()).map((one) => one.equals(pdfOf(200_000)))).toEqual([true]);
        expect(recorded.text()).not.toContain(login.password);
      });

      it('gets no document from who shows it a wrong one, or none', async () => {
        const { peer } = await setUp({ login });
        for (const password of ['wrong', undefined]) {
          const { printer } = openPrinter(peer.uri, { access: accessFor(password) });
          await expect(sendTo({ printer }, pdfOf(1000))).rejects.toMatchObject({ code: 'printer-denied' });
        }
        expect(await peer.documents()).toEqual([]);
      });
    });

    it('unpacks a raster that was packed for the way, and keeps it byte for byte', async () => {
      const { peer } = await setUp();
      const raster = Buffer.concat([Buffer.from('RaS2'), Buffer.alloc(2_000_000)]);
      const { printer } = openPrinter(peer.uri);
      const plan = await printer.prepare(sampleTicket(), await spooled(raster), withoutLimit());
      expect(plan).toMatchObject({ compression: 'gzip' });
      await printer.follow(await sendTo({ printer }, raster), withoutLimit());
      expect((await peer.documents()).map((one) => one.equals(raster))).toEqual([true]);
    });

    it('is pinned at its first use over ipps, and refused with another certificate', async () => {
      const { peer, secureUri } = await setUp();
      const access = accessFor();
      const { printer, recorded } = openPrinter(secureUri, { access });
      await printer.follow(await sendTo({ printer }, pdfOf(100_000)), withoutLimit());
      const { certificate } = await printer.describe(withoutLimit());
      expect(certificate).toMatchObject({ trustedBy: 'pin' });
      expect(recorded.records('printer certificate pinned')).toHaveLength(1);

      await peer[Symbol.asyncDispose]();
      await setUp({ port: Number(new URL(peer.uri).port) });
      await expect(printer.describe(withoutLimit())).rejects.toMatchObject({
        code: 'printer-certificate-changed',
        delivery: 'not-sent',
        message: expect.stringContaining(String(certificate?.fingerprint)) as string,
      });
    });
  });
});
