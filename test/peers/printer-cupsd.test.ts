/** The printing of Platen through a real CUPS. What came out is read behind its queue. */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { listedQueues } from '../../src/printing/ipp/printer-offer.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import type { PrinterStage } from '../contracts/printer.ts';
import { printerContract } from '../contracts/printer.ts';
import { withoutLimit } from '../support/patience.ts';
import { needsPeer } from '../support/needs.ts';
import { queueName, startCupsd } from './cupsd.ts';

async function startStage(): Promise<PrinterStage> {
  const peer = await startCupsd();
  return {
    uri: peer.uri,
    kind: 'spooler',
    documents: () => peer.documents(),
    hold: () => peer.hold(),
    letGo: () => peer.letGo(),
    abortJobs: () => peer.exitWith(1),
    async makeUnfit() {
      await peer.administer('cupsdisable', queueName);
      return 'paused';
    },
    switchOff: () => peer.switchOff(),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

needsPeer('cupsd', 'cups-daemon')('with CUPS', () => {
  needsPeer('lpadmin', 'cups-client')('a queue', () => {
    printerContract(startStage);

    it('is listed to who asks at an address where no printer is', async () => {
      await using peer = await startCupsd();
      const uri = new URL('/', peer.uri.replace('cups:', 'http:')).href.replace('http:', 'ipp:');
      const stranger = { uri, trust: systemTrust(), caFile: undefined, clock: systemClock };
      expect(await listedQueues(stranger, withoutLimit())).toEqual([queueName]);
    });
  });
});
