/**
 * The network of a gateway misbehaves, in the kernel: cables, addresses, names, packets. Whatever happens, no document comes
 * out twice or without its record, and the badge after it works (I1, I2, I7).
 */
import { expect, it } from 'vitest';
import { hours } from '../../../src/core/duration.ts';
import { judge, violationsOf } from '../../campaign/kill-oracle.ts';
import { until } from '../../campaign/kill-runs.ts';
import { needsNamespaces, needsPeer } from '../../support/needs.ts';
import type { OfficeNetwork } from './office-network.ts';
import { portalNames, startOfficeNetwork } from './office-network.ts';

/** One document more is printed and recorded; of all so far, none came out twice or without its record. */
async function expectLastPrinted(office: OfficeNetwork, name: string): Promise<void> {
  office.addDocument(name);
  await office.badge();
  await until('its record is posted', () => office.cloud.state.history.some(({ title }) => title === name));
  // One before it may still be asked about at the printer.
  await expect.poll(() => violationsOf(judge(office))).toEqual([]);
  expect(judge(office).unknown).not.toContain(name);
}

needsPeer('gcc', 'gcc libc6-dev')('with a clock that can be put wrong', () => {
  needsPeer('dnsmasq', 'dnsmasq-base')('a name server', () => {
    needsPeer('iptables', 'iptables')('and a filter of packets', () => {
      needsNamespaces()('on a network of its own', () => {
        it('a gateway with addresses of IPv6 alone prints', async () => {
          await using office = await startOfficeNetwork({ family: 'IPv6' });
          await expectLastPrinted(office, 'First.pdf');
        });

        it('a printer at a new address is found by its name, though the connection to the old one was never closed', async () => {
          await using office = await startOfficeNetwork();
          await expectLastPrinted(office, 'First.pdf');
          office.movePrinter();
          // If it is sent to the old address, it is told as not printed, and stays in the list.
          office.addDocument('Second.pdf');
          await office.badge();
          await expectLastPrinted(office, 'Third.pdf');
          expect(judge(office).unknown).toEqual([]);
        });

        it('without a name server nobody new is found, and everybody is when it is back', async () => {
          await using office = await startOfficeNetwork();
          await expectLastPrinted(office, 'First.pdf');
          await office.names.stop();
          office.cloud.dropConnections();
          office.tap();
          await until('the login fails', () => office.times('login failed') > 0);
          await office.names.start();
          await expectLastPrinted(office, 'Second.pdf');
        });

        it('the cable of the printer, out in the middle of a document and in again, costs no second sheet', async () => {
          await using office = await startOfficeNetwork();
          office.addDocument('Large.pdf', 24 * 1024 * 1024);
          const served = office.badge();
          await office.printer.waitFor(() =>
            office.printer.jobs.some(({ transfer }) => transfer === 'under-way'),
          );
          office.printerCable.cut();
          await served;
          office.printerCable.mend();
          await expectLastPrinted(office, 'Second.pdf');
        });

        it('packets that are too large for the way to the printer print nothing by half', async () => {
          await using office = await startOfficeNetwork();
          office.openHole();
          office.addDocument('First.pdf');
          await office.badge();
          expect(office.outputs().filter(({ complete }) => complete)).toEqual([]);
          office.closeHole();
          await expectLastPrinted(office, 'Second.pdf');
        });

        it.each(portalNames)('%s is no service, takes no record and signs nobody in', async (portal) => {
          await using office = await startOfficeNetwork({ portal });
          await until('the agent asks the service in vain', () => office.times('condition raised') > 0);
          await office.closePortal();
          await office.isReady();
          office.addDocument('First.pdf', 20_000, 200);
          const served = office.badge();
          await office.printer.waitFor(() => office.printer.jobs.some(({ transfer }) => transfer === 'over'));
          await office.openPortal(portal);
          await served;
          office.tap();
          await until('the login fails', () => office.times('login failed') > 0);
          expect(office.cloud.state.history).toEqual([]);
          await office.closePortal();
          await expectLastPrinted(office, 'Second.pdf');
        });

        it.each([
          ['behind', hours(-25 * 365 * 24)],
          ['ahead', hours(25 * 365 * 24)],
        ])(
          'with a clock years %s at boot, and no time from the network, it prints once the clock is set',
          async (_, wrongBy) => {
            await using office = await startOfficeNetwork({ wrongBy });
            await until(
              'the service has no certificate for today',
              () => office.times('condition raised') > 0,
            );
            office.setClock(hours(0));
            await office.isReady();
            await expectLastPrinted(office, 'First.pdf');
            office.setClock(wrongBy);
            await office.restart();
            await office.isReady();
            office.tap();
            await until('the login fails', () => office.times('login failed') > 0);
            office.setClock(hours(0));
            await expectLastPrinted(office, 'Second.pdf');
          },
        );
      });
    });
  });
});
