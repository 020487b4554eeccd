/** A name that changes its address between two connections, or between look and connection (D9, T11). */
import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import { createAddressGuard } from '../../src/printing/address-guard.ts';
import { createIppPrinter } from '../../src/printing/ipp/ipp-printer.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import { recordLog } from '../support/recorded-log.ts';

/** Counts who knocks, and hangs up on them. */
async function listen(host: string, port: number): Promise<{ port: number; visits: () => number }> {
  let visits = 0;
  const server: Server = createServer((socket) => {
    visits += 1;
    socket.on('error', () => {});
    socket.on('data', () => socket.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, visits: () => visits };
}

function printerAt(port: number, answers: readonly string[]) {
  const asked: string[] = [];
  const network = {
    allow: ['127.0.0.1/32'],
    ports: [{ first: port, last: port }],
    schemes: ['ipp'],
  } as const;
  const guard = createAddressGuard({
    network,
    resolve: async (name) => {
      const address = answers[Math.min(asked.length, answers.length - 1)] ?? '';
      asked.push(name);
      return [{ address, family: 4 }];
    },
  });
  const printer = createIppPrinter({
    uri: guard.vet(`ipp://printer.example:${port}/ipp/print`),
    lookup: guard.lookup,
    outputType: 'auto',
    stall: seconds(5),
    clock: systemClock,
    log: recordLog().log,
    trust: systemTrust(),
  });
  onTestFinished(() => printer[Symbol.asyncDispose]());
  // Who breaks a connection is knocked at again after a second.
  const describePrinter = () => printer.describe({ signal: systemClock.deadline(seconds(0.5)) });
  return { asked, describePrinter };
}

it('a rebound name is not followed: the canary on 127.0.0.9 sees nobody', async () => {
  const { port, visits } = await listen('127.0.0.1', 0);
  const canary = await listen('127.0.0.9', port);
  const { asked, describePrinter } = printerAt(port, ['127.0.0.1', '127.0.0.9']);

  await expect(describePrinter()).rejects.toMatchObject({ code: 'printer-unreachable' });
  await expect(describePrinter()).rejects.toMatchObject({
    code: 'printer-address-refused',
    message: 'the name printer.example leads to it, and 127.0.0.9 is a loopback address',
  });
  expect([visits(), canary.visits()]).toEqual([1, 0]);
  expect(asked).toEqual(['printer.example', 'printer.example']);
});

it('one look-up serves one connection: nobody asks the resolver again behind the guard', async () => {
  const { port, visits } = await listen('127.0.0.1', 0);
  const { asked, describePrinter } = printerAt(port, ['127.0.0.1']);
  await expect(describePrinter()).rejects.toMatchObject({ code: 'printer-unreachable' });
  expect([asked.length, visits()]).toEqual([1, 1]);
});
