/** The printing of Platen through a real CUPS. What came out is read behind its queue. */
import type { PrinterStage } from '../contracts/printer.ts';
import { printerContract } from '../contracts/printer.ts';
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
  });
});
