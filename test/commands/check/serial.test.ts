/** What `platen check` says of a serial reader. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SystemFolders } from '../../../src/commands/check/reader/serial.ts';
import { examineSerial } from '../../../src/commands/check/reader/serial.ts';
import { startVirtualReader } from '../../../src/simulator/reader/reader.ts';
import { runReader, until } from '../../contracts/reader.ts';
import { serialAt } from '../../contracts/text-reader.ts';
import { laySysfs, plugIn, serialAdapter } from '../../support/reader/recorded-sysfs.ts';

const link = 'usb-FTDI_FT232R_USB_UART_AH06W0EQ-if00-port0';

/** One adapter has been plugged in, as `/dev/ttyUSB0`. */
async function system(): Promise<SystemFolders> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-check-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const byId = join(folder, 'by-id');
  await mkdir(byId);
  await symlink('/dev/ttyUSB0', join(byId, link));
  return { sysfs: await laySysfs(), byId, proc: '/proc' };
}

const looker = async () => ({ user: 'dana', hasService: false, unit: undefined });

const common = {
  type: 'serial',
  baudRate: 9600,
  framing: { kind: 'line' },
  silentAfterHours: 'off',
} as const;

async function virtualReader() {
  const virtual = await startVirtualReader();
  onTestFinished(() => virtual[Symbol.asyncDispose]());
  return realpath(virtual.path);
}

describe('the examination of a serial reader', () => {
  it('opens its port, and says what it is', async () => {
    const [folders, path] = [await system(), await virtualReader()];
    expect(await examineSerial({ ...common, path }, { isUp: false, looker, folders })).toBe(
      `${path} can be opened`,
    );
    await plugIn(folders.sysfs, serialAdapter(path.replace('/dev/', '')));
    const found = `${path} can be opened (USB 0403:6001, serial number AH06W0EQ)`;
    expect(await examineSerial({ ...common, path }, { isUp: false, looker, folders })).toBe(found);
    expect(await examineSerial({ ...common, device: '0403:6001' }, { isUp: false, looker, folders })).toBe(
      found,
    );
  });

  it('advises the name that survives replugging, and leaves the port to the running agent', async () => {
    const folders = await system();
    expect(await examineSerial({ ...common, path: '/dev/ttyUSB0' }, { isUp: true, looker, folders })).toBe(
      `/dev/ttyUSB0 is connected to the running agent; write ${folders.byId}/${link}, which stays the same after replugging`,
    );
  });

  it('names the program that holds the port', async () => {
    const [folders, path] = [await system(), await virtualReader()];
    const { counts } = runReader(serialAt(path));
    await until(() => expect(counts.up).toBe(1));
    await expect(examineSerial({ ...common, path }, { isUp: false, looker, folders })).rejects.toThrow(
      new RegExp(`^${path} is in use by .*node \\(${process.pid}\\).*\\. Stop that program$`),
    );
  });

  it('says what is there where the path leads nowhere, to a file, or to no such device', async () => {
    const folders = await system();
    const file = join(folders.byId, 'file');
    const examine = (place: { path: string } | { device: string }) =>
      examineSerial({ ...common, ...place }, { isUp: false, looker, folders });
    await expect(examine({ path: '/dev/ttyUSB9' })).rejects.toThrow(
      `/dev/ttyUSB9 does not exist. Plug the reader in, or correct the path. These exist: ${folders.byId}/${link}`,
    );
    await writeFile(file, '');
    await expect(examine({ path: file })).rejects.toThrow(`${file} is not a serial device. Correct the path`);
    await expect(examine({ device: '0403:6015' })).rejects.toThrow('there is no serial port of 0403:6015');
  });
});
