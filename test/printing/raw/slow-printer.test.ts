/** A raw printer that takes octets slowly: `stallSeconds` counts from the last one that it took (B.4, 7 Print). */
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import type { SpooledDocument } from '../../../src/domain/ports/printing.ts';
import type { ByteStall } from '../../../src/printing/job-patience.ts';
import { noEnvelope } from '../../../src/printing/raw/pjl.ts';
import type { SocketConnection } from '../../../src/printing/raw/socket-connection.ts';
import { transferBytes } from '../../../src/printing/raw/socket-transfer.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';

const stall = seconds(30);
const slice = Buffer.alloc(16 * 1024, 'x');
const slices = 8;

const document: SpooledDocument = {
  length: slices * slice.length,
  digest: () => 'd',
  format: 'application/pdf',
  holds: () => false,
  whole: async () => {},
  read: () => Readable.from(Array.from({ length: slices }, () => slice)),
  [Symbol.dispose]() {},
};

/** A transfer to a printer that takes the octets it is given when the test says so. */
function startTransfer(stallSeconds: ByteStall = stall) {
  const clock = createSteeredClock();
  const untaken: PromiseWithResolvers<void>[] = [];
  let given = 0;
  const connection: SocketConnection = {
    write(octets) {
      given += octets.length;
      const taken = Promise.withResolvers<void>();
      untaken.push(taken);
      return taken.promise;
    },
    given: () => given,
    listen() {},
    left: () => new Promise(() => {}),
    taken: async () => {},
    isTaken: () => true,
    finish: async () => {},
    close() {
      for (const { reject } of untaken) reject(new Error('closed'));
    },
  };
  const transfer = {
    connection,
    envelope: noEnvelope,
    document,
    job: undefined,
    isKnownToTalk: false,
    isAsked: false,
    isTried: false,
    onFirstByte: undefined,
    onProgress: undefined,
    onPages: undefined,
    expected: undefined,
  };
  const over = new AbortController();
  onTestFinished(() => over.abort());
  let end: unknown;
  transferBytes({ clock, stall: stallSeconds, jobStall: stall, resetIsEnd: false }, transfer, over).then(
    () => (end = 'taken'),
    (problem: unknown) => (end = problem),
  );
  return {
    clock,
    end: () => end,
    take: () => untaken.shift()?.resolve(),
    breakOff: () => untaken.shift()?.reject(new Error('ECONNRESET')),
    given: () => given,
  };
}

it('is not called stalled while it takes octets, though the whole takes much longer than stallSeconds', async () => {
  const { clock, take, given, end } = startTransfer();
  for (let taken = 1; taken <= slices; taken += 1) {
    await clock.advance(seconds(29));
    expect([end(), given()]).toEqual([undefined, taken * slice.length]);
    take();
  }
  await clock.advance(seconds(1));
  expect(end()).toBe('taken');
});

it('is called stalled when it has taken no octet for stallSeconds, however many it took before', async () => {
  const { clock, take, end } = startTransfer();
  for (let taken = 1; taken < slices; taken += 1) {
    await clock.advance(seconds(10));
    take();
  }
  await clock.advance(seconds(29));
  expect(end()).toBeUndefined();
  await clock.advance(seconds(2));
  expect(end()).toMatchObject({ code: 'printer-stalled', delivery: 'perhaps' });
});

it('auto: thirty seconds before the first octet, two minutes in the midst', async () => {
  const { clock, take, end } = startTransfer('auto');
  await clock.advance(seconds(29));
  expect(end()).toBeUndefined();
  take();
  await clock.advance(seconds(119));
  expect(end()).toBeUndefined();
  take();
  await clock.advance(seconds(121));
  expect(end()).toMatchObject({ code: 'printer-stalled', delivery: 'perhaps' });
});

it('auto: one that has taken no octet after thirty seconds is given up', async () => {
  const { clock, end } = startTransfer('auto');
  await clock.advance(seconds(31));
  expect(end()).toMatchObject({ code: 'printer-stalled' });
});

it('I1: one that breaks the connection once an octet was given to it leaves in doubt what came out', async () => {
  const { clock, take, breakOff, end } = startTransfer();
  await clock.advance(seconds(1));
  take();
  await clock.advance(seconds(1));
  breakOff();
  await clock.advance(seconds(1));
  expect(end()).toMatchObject({ code: 'transfer-broken', delivery: 'perhaps' });
});
