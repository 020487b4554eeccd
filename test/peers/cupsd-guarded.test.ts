/** A real CUPS that does not let everybody print, or not in the clear: logins, TLS, quotas; and its classes. */
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { complaintAbout } from '../../src/domain/printer/spooler-queue.ts';
import { lookAtOffer } from '../../src/printing/ipp/printer-offer.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import { needsOwnAddress, needsPeer, ownAddress } from '../support/needs.ts';
import { eventually, withoutLimit } from '../support/patience.ts';
import { accessFor, openPrinter, sendTo } from '../support/printer/printers.ts';
import { pdfOf } from '../support/printer/samples.ts';
import type { CupsdOptions } from './cupsd.ts';
import { queueName, startCupsd } from './cupsd.ts';

const login = { user: 'platen', password: 'wand-canary' };
const withLogin = { login, location: 'AuthType Basic\nRequire valid-user\nOrder allow,deny\nAllow all' };
const withTls = { location: 'Encryption Required\nOrder allow,deny\nAllow all' };

async function cups(options: CupsdOptions = {}) {
  const peer = await startCupsd(options);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  return peer;
}

/** What an administrator does with `platen trust --printer`. */
async function approved(uri: string, access: ReturnType<typeof accessFor>) {
  const stranger = { uri, trust: systemTrust(), caFile: undefined, clock: systemClock };
  const offer = await lookAtOffer(stranger, withoutLimit());
  access.memory.keep(offer.place, offer.approved);
  return access;
}

async function printed(uri: string, access: ReturnType<typeof accessFor>): Promise<string> {
  const { printer } = openPrinter(uri, { access });
  const job = await sendTo({ printer }, pdfOf(1000));
  return (await printer.follow(job, withoutLimit())).state;
}

needsPeer('cupsd', 'cups-daemon')('CUPS', () => {
  needsPeer('lpadmin', 'cups-client')('and its administration', () => {
    needsPeer('libpam_wrapper.so', 'libpam-wrapper')('a queue with a login', () => {
      it('prints once for who shows it the right password', async () => {
        const peer = await cups(withLogin);
        expect(await printed(peer.uri, accessFor(login.user, login.password))).toBe('completed');
        expect(await peer.documents()).toEqual([pdfOf(1000)]);
      });

      it('lets who logs in end the job that is theirs', async () => {
        const peer = await cups(withLogin);
        await peer.hold();
        const { printer } = openPrinter(peer.uri, { access: accessFor(login.user, login.password) });
        const job = await sendTo({ printer }, pdfOf(1000));
        await eventually(async () => expect(await peer.begun()).toBe(1));
        expect(await printer.cancel(job, withoutLimit())).toMatchObject({ state: 'canceled' });
        expect(await peer.documents()).toEqual([]);
      });

      it('gets no document from who shows it a wrong one, or none', async () => {
        const peer = await cups(withLogin);
        for (const password of ['wrong', undefined])
          await expect(printed(peer.uri, accessFor(login.user, password))).rejects.toMatchObject({
            code: 'printer-denied',
          });
        expect(await peer.begun()).toBe(0);
      });
    });

    needsOwnAddress()('a queue that demands TLS', () => {
      const there = { ...withTls, host: ownAddress() };

      it('says so, with the address to write, at which it prints once and confirms as a spooler', async () => {
        const peer = await cups(there);
        const secure = peer.uri.replace('cups:', 'cupss:');
        await expect(printed(peer.uri, accessFor('platen'))).rejects.toMatchObject({
          code: 'printer-tls-wanted',
          message: expect.stringContaining(`Write uri: ${secure}`) as string,
        });
        expect(await printed(secure, accessFor('platen'))).toBe('completed');
        expect(openPrinter(secure).printer.confirms).toBe('spooler');
        expect(await peer.documents()).toEqual([pdfOf(1000)]);
      });

      needsPeer('libpam_wrapper.so', 'libpam-wrapper')('and a login', () => {
        it('is shown the password once somebody has approved its certificate', async () => {
          const peer = await cups({
            ...there,
            ...withLogin,
            location: `${withTls.location}\n${withLogin.location}`,
          });
          const uri = peer.uri.replace('cups:', 'cupss:');
          const access = accessFor(login.user, login.password);
          await expect(printed(uri, access)).rejects.toMatchObject({
            code: 'printer-denied',
            message: expect.stringContaining('platen trust --printer') as string,
          });
          expect(await printed(uri, await approved(uri, access))).toBe('completed');
          expect(await peer.documents()).toEqual([pdfOf(1000)]);
        });
      });

      it('and a login in the clear gets none, and is told to be asked over TLS', async () => {
        const peer = await cups({ ...withLogin, host: ownAddress() });
        await expect(printed(peer.uri, accessFor(login.user, login.password))).rejects.toMatchObject({
          code: 'printer-denied',
          message: expect.stringContaining('Use cupss://') as string,
        });
      });
    });

    it.each([
      ['of kilobytes', 'job-k-limit'],
      ['of pages', 'job-page-limit'],
    ])('a quota %s lets the first document out, and refuses the second as a limit', async (_, limit) => {
      const peer = await cups();
      await peer.administer('lpadmin', '-p', queueName, '-o', 'job-quota-period=86400', '-o', `${limit}=1`);
      await peer.say('PAGE: 1 1');
      const access = accessFor('platen');
      expect(await printed(peer.uri, access)).toBe('completed');
      await expect(printed(peer.uri, access)).rejects.toMatchObject({ code: 'printer-limit' });
      expect(await peer.documents()).toEqual([pdfOf(1000)]);
    });

    it('a queue at the address of a printer is recognised, and told with the address to write', async () => {
      const peer = await cups();
      const uri = `${peer.uri.replace('cups:', 'ipp:').replace(/[^/]+$/, '')}printers/${queueName}`;
      const { queue } = await openPrinter(uri).printer.describe(withoutLimit());
      expect(queue && complaintAbout(queue)).toContain(`write uri: ${peer.uri}`);
    });

    it('a class prints once by one of its queues, and is complained of', async () => {
      const peer = await cups();
      await peer.administer('lpadmin', '-p', 'second', '-E', '-v', 'kept:/there', '-m', 'raw');
      for (const queue of [queueName, 'second']) await peer.administer('lpadmin', '-p', queue, '-c', 'both');
      await peer.administer('cupsenable', 'both');
      await peer.administer('cupsaccept', 'both');
      const uri = peer.uri.replace(queueName, 'both');
      const { queue } = await openPrinter(uri).printer.describe(withoutLimit());
      expect(queue && complaintAbout(queue)).toContain('both is a class');
      expect(await printed(uri, accessFor('platen'))).toBe('completed');
      expect(await peer.documents()).toEqual([pdfOf(1000)]);
    });
  });
});
