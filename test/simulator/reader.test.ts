/** The virtual reader as serialport sees it. */
import { once } from 'node:events';
import { lstat, mkdtempDisposable, readFile, readlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SerialPort } from 'serialport';
import { afterEach, expect, test, vi } from 'vitest';
import { startVirtualReader } from '../../src/simulator/reader/reader.ts';
import { eventually } from '../support/patience.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

interface OpenPort extends AsyncDisposable {
  readonly port: SerialPort;
  /** Resolves with what came once it is so long. */
  received(length: number): Promise<Buffer>;
}

async function openPort(path: string): Promise<OpenPort> {
  const port = new SerialPort({ path, baudRate: 9600, autoOpen: false });
  let bytes = Buffer.alloc(0);
  port.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  await new Promise<void>((resolve, reject) => {
    port.open((error) => (error ? reject(error) : resolve()));
  });
  return {
    port,
    async received(length) {
      while (bytes.length < length) await once(port, 'data');
      return bytes;
    },
    async [Symbol.asyncDispose]() {
      if (port.isOpen) await new Promise((resolve) => port.close(resolve));
    },
  };
}

test('a tap arrives with CR LF behind it', async () => {
  await using reader = await startVirtualReader();
  await using open = await openPort(reader.path);
  reader.tap('04A1B2C3D4');
  expect((await open.received(12)).toString('latin1')).toBe('04A1B2C3D4\r\n');
});

test('every byte arrives as it is, control characters and all', async () => {
  await using reader = await startVirtualReader();
  await using open = await openPort(reader.path);
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  reader.write(all);
  expect(await open.received(256)).toEqual(all);
});

test('a flood of 100 KB passes', async () => {
  await using reader = await startVirtualReader();
  await using open = await openPort(reader.path);
  reader.write('x'.repeat(100_000));
  expect(await open.received(100_000)).toHaveLength(100_000);
});

test('what the agent writes does not come back', async () => {
  await using reader = await startVirtualReader({ terminator: '' });
  await using open = await openPort(reader.path);
  await new Promise((resolve) => open.port.write('beep\r\n', resolve));
  await new Promise((resolve) => open.port.drain(resolve));
  reader.tap('1234');
  expect((await open.received(4)).toString()).toBe('1234');
});

// Of a port that hangs up between two reads serialport tells nothing (bindings-cpp issue 162).
test('the reader going away takes its port along, as an unplugged one does', async () => {
  const reader = await startVirtualReader();
  await using _ = await openPort(reader.path);
  await reader[Symbol.asyncDispose]();
  await expect(lstat(reader.path)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the link points at the terminal, replaces an older link, and goes with the reader', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'platen-reader-'));
  const link = join(folder.path, 'reader');
  const first = await startVirtualReader({ link });
  await using second = await startVirtualReader({ link });
  expect(await readlink(link)).toMatch(/^\/dev\/pts\/\d+$/);
  await using open = await openPort(link);
  second.tap('1');
  await open.received(3);
  await first[Symbol.asyncDispose]();
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  await second[Symbol.asyncDispose]();
  await expect(lstat(link)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('without a link it has one in a folder of its own, which goes with it: the number of the terminal is given to others', async () => {
  const reader = await startVirtualReader();
  expect(await readlink(reader.path)).toMatch(/^\/dev\/pts\/\d+$/);
  await reader[Symbol.asyncDispose]();
  await expect(lstat(dirname(reader.path))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a file in the place of the link is left alone', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'platen-reader-'));
  const link = join(folder.path, 'precious');
  await writeFile(link, 'kept');
  await expect(startVirtualReader({ link })).rejects.toMatchObject({ code: 'reader-unavailable' });
  expect(await readFile(link, 'utf8')).toBe('kept');
});

/** The processes below this one, as Linux tells them. */
async function descendants(pid: number): Promise<readonly number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();
  const pids = children === '' ? [] : children.split(' ').map(Number);
  return [...pids, ...(await Promise.all(pids.map(descendants))).flat()];
}

test('no process stays behind', async () => {
  const before = await descendants(process.pid);
  const reader = await startVirtualReader();
  const started = (await descendants(process.pid)).filter((pid) => !before.includes(pid));
  expect(started.length).toBeGreaterThanOrEqual(2);
  await reader[Symbol.asyncDispose]();
  // One that has ended stays in the table until its new parent has looked at it.
  await eventually(async () => {
    const left = await Promise.all(
      started.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'gone')),
    );
    expect(left.filter((stat) => stat !== 'gone')).toEqual([]);
  });
});

test('without script(1) the problem says so', async () => {
  vi.stubEnv('PATH', '/nowhere');
  await expect(startVirtualReader()).rejects.toMatchObject({ code: 'reader-unavailable' });
});
