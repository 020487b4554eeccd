/** A printer that is asked how it is while its document still comes in. */
import { expect, it } from 'vitest';
import { milliseconds, seconds } from '../../../src/core/duration.ts';
import { withoutLimit } from '../../support/patience.ts';
import { aDocument, openPrinter, virtualPrinter } from '../../support/printer/printers.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';

async function aheadOf(wait = milliseconds(0)) {
  const peer = await virtualPrinter();
  const clock = createSteeredClock();
  const { printer } = openPrinter(peer.uri, { clock });
  const looks = () => peer.requests.filter(({ operation }) => operation === 'Get-Printer-Attributes').length;
  printer.lookAhead?.(withoutLimit());
  await peer.waitFor(() => looks() === 1);
  await clock.advance(wait);
  return {
    peer,
    looks,
    prepare: async () => printer.prepare(sampleTicket(), await aDocument(), withoutLimit()),
  };
}

it('is not asked again when the document is here', async () => {
  const { looks, prepare } = await aheadOf();
  await prepare();
  expect(looks()).toBe(1);
  await prepare();
  expect(looks()).toBe(2);
});

it('is asked again where that was a second ago', async () => {
  const { looks, prepare } = await aheadOf(seconds(1));
  await prepare();
  expect(looks()).toBe(2);
});
