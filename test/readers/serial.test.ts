import { realpathSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Problem } from '../../src/domain/problem/problem.ts';
import { longestOpening } from '../../src/readers/intake/reader-link.ts';
import { openSerialReader } from '../../src/readers/serial/serial.ts';
import { startVirtualReader } from '../../src/simulator/reader/reader.ts';
import { runReader, standingTime, until } from '../contracts/reader.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { laySysfs, plugIn, serialAdapter } from '../support/reader/recorded-sysfs.ts';
import { eventually } from '../support/patience.ts';

const nothing = (): void => {};

function runAt(path: string) {
  const clock = createSteeredClock();
  const recorded = recordLog();
  const problems: Problem[] = [];
  const events = {
    onCard: nothing,
    onUp: nothing,
    onFrame: nothing,
    onDown: (p: Problem) => void problems.push(p),
  };
  const reader = openSerialReader({
    at: path,
    baudRate: 9600,
    name: 'front',
    clock,
    log: recorded.log,
    events,
    framing: { kind: 'line' },
  });
  const stop = new AbortController();
  const running = reader.run(stop.signal);
  onTestFinished(() => {
    stop.abort();
    return running;
  });
  return { clock, problems, recorded, stop, running };
}

describe('a serial reader whose device is not there', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-serial-'));
    await symlink('/dev/pts/no-such-terminal', join(folder, 'dangling'));
    await writeFile(join(folder, 'file'), 'not a terminal');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('tries again after 0.25 s, then twice as long each time, at most 2 s (B.4, 1 Badge read)', async () => {
    const { clock } = runAt(join(folder, 'absent'));
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const wait = await eventually(() => {
        const next = clock.waits().find((span) => span !== longestOpening);
        if (next === undefined) throw new Error('not waiting yet');
        return next;
      });
      waits.push(wait);
      await clock.advance(seconds(wait / 1000));
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 2000, 2000, 2000]);
  });

  it('tells once that it is down, and why', async () => {
    const { clock, problems, recorded } = runAt(join(folder, 'absent'));
    await eventually(() => expect(clock.waits()).toEqual([250]));
    await clock.advance(seconds(0.25));
    await eventually(() => expect(clock.waits()).toEqual([500]));
    expect(problems).toMatchObject([{ code: 'reader-unavailable', retry: 'later' }]);
    expect(problems[0]?.message).toMatch(/^No such file or directory, cannot open .*absent$/);
    expect(problems[0]?.cause).toBeInstanceOf(Error);
    expect(recorded.records('reader down')).toHaveLength(1);
  });

  it.each(['dangling', 'file', '.', 'absent/below'])('waits for it where the path is %s', async (path) => {
    const { clock, problems } = runAt(join(folder, path));
    await eventually(() => expect(clock.waits()).toEqual([250]));
    expect(problems).toMatchObject([{ code: 'reader-unavailable' }]);
  });

  it('ends at once when it is stopped while it waits', async () => {
    const { clock, stop, running } = runAt(join(folder, 'absent'));
    await eventually(() => expect(clock.waits()).toEqual([250]));
    stop.abort();
    await expect(running).resolves.toBeUndefined();
    expect(clock.waits()).toEqual([]);
  });

  it('ends at once when it is stopped while it opens', async () => {
    const { problems, stop, running } = runAt('/dev/ptmx');
    stop.abort();
    await expect(running).resolves.toBeUndefined();
    expect(problems).toEqual([]);
  });
});

describe('a serial reader named by its USB device', () => {
  it('is read wherever its port is, and found again under another name (B.4, 1 Badge read)', async () => {
    const sysfs = await laySysfs();
    const device = { vendor: '0403', product: '6001', serial: 'AH06W0EQ' };
    const time = standingTime();
    const reader = runReader(
      (options) => openSerialReader({ ...options, at: device, sysfs, baudRate: 9600 }),
      { clock: time.clock },
    );
    await until(() => expect(reader.counts.down).toBe(1));
    for (const [round, number] of ['11111111', '22222222'].entries()) {
      await using virtual = await startVirtualReader();
      await using _plugged = await plugIn(
        sysfs,
        serialAdapter(realpathSync(virtual.path).replace('/dev/', '')),
      );
      await time.later(() => expect(reader.counts.up).toBe(round + 1));
      virtual.tap(number);
      await until(() => expect(reader.cards.at(-1)).toBe(number));
      await time.pass(seconds(5));
    }
    expect(reader.cards).toEqual(['11111111', '22222222']);
  });
});

it('a serial reader that another program has says so, and who tells by which', async () => {
  await using virtual = await startVirtualReader();
  const first = runAt(virtual.path);
  await until(() => expect(first.recorded.records('reader up')).toHaveLength(1));
  const { problems } = runAt(virtual.path);
  await until(() =>
    expect(problems[0]?.message).toBe(
      `${virtual.path} is used by another program. \`sudo platen check\` says by which`,
    ),
  );
});

it('a serial reader that comes between the look for it and the opening is missed when it goes (I7, I8)', async () => {
  await using virtual = await startVirtualReader();
  const folder = await mkdtemp(join(tmpdir(), 'platen-serial-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'host');
  const { clock, problems, recorded } = runAt(path);
  // The look is under way beside us now; that it found nothing is not heard before we let go.
  await new Promise(process.nextTick);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  symlinkSync(virtual.path, path);
  await until(() => expect(recorded.records('reader up')).toHaveLength(1));
  await rm(path);
  await eventually(async () => {
    await clock.advance(seconds(1));
    expect(problems.map(({ message }) => message)).toContain(`${path} vanished`);
  });
});
