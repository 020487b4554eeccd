/** The smart-card reader and a pcscd that is down, gone, hung, replaced or out of its mind. */
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import { survives } from '../contracts/reader.ts';
import type { PcscDaemon } from '../support/reader/pcsc-daemon.ts';
import { table, words } from '../support/reader/pcsc-daemon.ts';
import { acr, pcscd, runOn, uid } from '../contracts/pcsc-stage.ts';

const alice = '04A1B2C3';
const command = { establish: 0x01, connect: 0x04, transmit: 0x09, version: 0x11, wait: 0x13 };

const downWith = async (daemon: PcscDaemon, reason: RegExp): Promise<void> => {
  const { time, counts, recorded, stop } = runOn(daemon);
  await time.until(() => expect(counts.down).toBe(1));
  const [record] = recorded.records('reader down');
  expect(JSON.stringify(record)).toMatch(reason);
  expect(counts.up).toBe(0);
  await stop();
};

describe('a smart-card reader and its pcscd', () => {
  it.each<[string, RegExp, (daemon: PcscDaemon) => unknown]>([
    ['never ran', /pcscd is not running .*systemctl start pcscd.socket/, () => {}],
    ['left its socket behind', /pcscd is not running/, (daemon) => writeFileSync(daemon.path, '')],
    ['is hung', /does not answer within 2 s/, (daemon) => hung(daemon)],
    ['lets nobody in', /polkit/, (daemon) => with_(daemon, { refuses: true })],
    ['is too old', /version 4:3 of its protocol/, (daemon) => with_(daemon, {}, [3])],
    ['is too new', /version 4:9 of its protocol/, (daemon) => with_(daemon, {}, [9])],
  ])('is down when it %s, and says why', async (_, reason, prepare) => {
    const daemon = pcscd();
    await prepare(daemon);
    await downWith(daemon, reason);
  });

  it.each([[[4]], [[5]], [[4, 5]], [[4, 5, 6]]])(
    'are of one version where pcscd takes 4:%j',
    async (minors) => {
      const daemon = pcscd();
      await with_(daemon, {}, minors);
      daemon.lay(uid(alice));
      const { time, cards } = runOn(daemon);
      await time.until(() => expect(cards).toEqual([alice]));
    },
  );

  it('come together again 200 times (B.4, 1 Badge read; I7)', async () => {
    const daemon = pcscd();
    const reader = runOn(daemon);
    await survives(200, {
      reader,
      time: reader.time,
      goAway: daemon.kill,
      async comeBack() {
        Object.assign(daemon.readers[0] ?? {}, { events: 0, bits: 2 });
        await daemon.start();
      },
      badge: async (number) => daemon.lay(uid(number)),
    });
  });

  it('notice within ten seconds that it hangs, and are back when it does not (I7)', async () => {
    const daemon = pcscd();
    await daemon.start();
    const { time, counts, cards } = runOn(daemon);
    await time.until(() => expect(counts.up).toBe(1));
    const before = time.clock.monotonic();
    Object.assign(daemon.faults, { hangs: true });
    await time.until(() => expect(counts.down).toBe(1));
    expect(time.clock.monotonic() - before).toBeLessThan(seconds(10));
    Object.assign(daemon.faults, { hangs: false });
    await time.until(() => expect(counts.up).toBe(2));
    daemon.lay(uid(alice));
    await time.until(() => expect(cards).toEqual([alice]));
  });

  it('stay together when one change follows the other, as a card at the edge of the field makes them', async () => {
    const daemon = pcscd();
    Object.assign(daemon.faults, { changesAgain: true });
    await daemon.start();
    const { time, counts, cards } = runOn(daemon);
    await time.until(() => expect(counts.up).toBe(1));
    daemon.lay(uid(alice));
    await time.until(() => expect(cards).toEqual([alice]));
    expect(counts.down).toBe(0);
  });

  it('end at once when the agent does, whatever pcscd does', async () => {
    const daemon = pcscd();
    await hung(daemon);
    const { time, stop } = runOn(daemon);
    await time.until(() => expect(daemon.requests).not.toEqual([]));
    // No time passes any more: nothing that it has begun is waited for.
    await stop();
  });

  it('are quiet while nothing happens, and when pcscd refuses everything', async () => {
    const quiet = pcscd();
    await quiet.start();
    const { time, counts } = runOn(quiet);
    await time.until(() => expect(counts.up).toBe(1));
    const refusing = pcscd();
    await with_(refusing, {}, [3]);
    runOn(refusing, { time });
    await time.pass(milliseconds(600));
    expect(quiet.requests.length).toBeLessThanOrEqual(6);
    expect(refusing.requests.length).toBeLessThanOrEqual(4);
  });
});

describe('what a pcscd says that is out of its mind', () => {
  const nonsense: [string, number, Buffer][] = [
    ['a version that is cut', command.version, words(4, 4)],
    ['more than a version', command.version, words(4, 4, 0, 0)],
    ['no context', command.establish, words(2, 0, 0x80100006)],
    ['an endless table', command.wait, Buffer.alloc(1_000_000, 0x41)],
    ['a table that is cut', command.wait, Buffer.alloc(1000)],
    ['an unknown value to a connection', command.connect, Buffer.alloc(152, 0xff)],
    ['an answer of four gigabytes', command.transmit, words(0, 2, 16, 5, 3, 16, 0xffff_ffff, 0)],
    ['an answer that is cut', command.transmit, words(0, 2, 16, 5, 3, 16, 6, 0)],
  ];

  it.each(nonsense)(
    '%s: the reader is down, and back when it is well again (I7, I8)',
    async (_, to, bytes) => {
      const daemon = pcscd();
      daemon.lay(uid(alice));
      Object.assign(daemon.faults, { says: { to, bytes } });
      await daemon.start();
      const { time, cards, counts } = runOn(daemon);
      await time.until(() => expect(counts.down).toBe(1));
      expect(cards).toEqual([]);
      Object.assign(daemon.faults, { says: undefined });
      await time.until(() => expect(cards).toEqual([alice]));
    },
  );

  it('anything: neither throws into the agent nor makes up a badge (I8)', async () => {
    const answer = fc.record({
      to: fc.constantFrom(...Object.values(command)),
      bytes: fc.uint8Array({ maxLength: 4000 }).map((bytes) => Buffer.from(bytes)),
    });
    await fc.assert(
      fc.asyncProperty(answer, async (says) => {
        const daemon = pcscd();
        Object.assign(daemon.faults, { says });
        await daemon.start();
        const { time, cards, stop } = runOn(daemon);
        await time.pass(seconds(5));
        await stop();
        expect(cards).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the readers that pcscd shows', () => {
  const other = { name: 'Generic Smart Card Reader 00 00', events: 0, bits: 2, answers: '' };

  it('are told by the name, however often they are numbered anew', async () => {
    const daemon = pcscd();
    daemon.readers.unshift(other);
    await daemon.start();
    const { time, counts, cards } = runOn(daemon, { reader: 'ACS ACR122*' });
    await time.until(() => expect(counts.up).toBe(1));
    daemon.lay(uid('0BADCA4D'), 0);
    daemon.readers.splice(1);
    daemon.changed();
    await time.until(() => expect(counts.down).toBe(1));
    daemon.readers.push({ name: acr.replace('00 00', '01 00'), events: 0, bits: 2, answers: '' });
    daemon.changed();
    await time.until(() => expect(counts.up).toBe(2));
    daemon.lay(uid(alice), 1);
    await time.until(() => expect(cards).toEqual([alice]));
  });

  it('may be none, or broken: the reader is down until one is there, for the reason that holds', async () => {
    const daemon = pcscd();
    const [reader] = daemon.readers.splice(0);
    const { time, counts, reasons } = runOn(daemon);
    await time.until(() => expect(reasons).toEqual([expect.stringContaining('not running')]));
    await daemon.start();
    await time.until(() => expect(reasons.at(-1)).toContain('shows no reader'));
    daemon.readers.push({ ...other, ...reader, bits: 1 });
    daemon.changed();
    await time.until(() => expect(reasons.at(-1)).toContain('cannot talk to'));
    Object.assign(daemon.readers[0] ?? {}, { bits: 2 });
    daemon.changed();
    await time.until(() => expect(counts.up).toBe(1));
    expect(reasons).toHaveLength(3);
  });

  it('may be sixteen, of names without an end', () => {
    const names = Array.from({ length: 16 }, () => ({ ...other, name: 'R'.repeat(300) }));
    expect(table(names)).toHaveLength(2944);
  });
});

async function with_(
  daemon: PcscDaemon,
  faults: PcscDaemon['faults'],
  minors = daemon.minors,
): Promise<void> {
  Object.assign(daemon.faults, faults);
  daemon.minors = minors;
  await daemon.start();
}

const hung = (daemon: PcscDaemon): Promise<void> => with_(daemon, { hangs: true });
