/** The port Sticks: sysfs tells which sticks are plugged in, and The Sleuth Kit in a sandbox reads them. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { seconds } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Stick, StickContents, StickFile, StickFormat, Sticks } from '../../domain/ports/sticks.ts';
import { StickFailure } from '../../domain/ports/sticks.ts';
import { formatOf, formats } from '../document-format.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import type { StickRoom, StickRoomDeps } from './stick-room.ts';
import { createStickRoom, listed } from './stick-room.ts';

export interface SticksDeps extends StickRoomDeps {
  /** `device` of the configuration. */
  readonly device: string;
  /** The largest file, in octets. */
  readonly largest: number;
}

/** A user is waiting. */
const listTime = seconds(20);
/** No list of real files is longer; a list without an end is cut here. */
const listOctets = 32 * 1024 ** 2;

export const createSticks = (deps: SticksDeps): Sticks => new SticksOfMachine(deps);

class SticksOfMachine implements Sticks {
  readonly #deps: SticksDeps;
  readonly #inRoom: StickRoom;

  constructor(deps: SticksDeps) {
    this.#deps = deps;
    this.#inRoom = createStickRoom(deps);
  }

  present(): Promise<readonly UsbDisk[]> {
    return usbDisks(this.#deps);
  }

  async files(stick: Stick, { signal }: CallOptions) {
    const within = { signal: this.#deps.clock.deadline(listTime, signal) };
    try {
      return contentsOf((await listIn(this.#reading(stick, ['list'], within))).toString('utf8'));
    } catch (error) {
      signal.throwIfAborted();
      if (!within.signal.aborted) throw error;
      throw new StickFailure('unreadable', `its list took more than ${listTime} ms`, { cause: error });
    }
  }

  async read(stick: Stick, file: StickFile, call: CallOptions): Promise<AsyncGenerator<Buffer>> {
    const { octets, format, place } = file;
    if (octets > this.#deps.largest) {
      throw new StickFailure(
        'too-large',
        `the file has ${octets} octets, and ${this.#deps.largest} are allowed`,
      );
    }
    const coming = this.#reading(stick, ['file', ...place.split(' '), String(octets), format], call);
    const head = await beginningOf(coming);
    if (!isA(format, head)) {
      await coming.return(undefined);
      throw new StickFailure('unfit', `the file is no ${format}`);
    }
    return following(head, coming);
  }

  /** Data of a stick that was pulled out does not count, whatever the room reports. */
  async *#reading(stick: Stick, words: readonly string[], call: CallOptions): AsyncGenerator<Buffer> {
    const disk = await this.#find(stick);
    if (!disk) throw pulledOut();
    try {
      yield* this.#inRoom({ device: disk.path, words }, call);
    } catch (error) {
      call.signal.throwIfAborted();
      throw (await this.#find(stick)) ? error : pulledOut(error);
    }
  }

  async #find({ id }: Stick): Promise<UsbDisk | undefined> {
    return (await this.present()).find((one) => one.id === id);
  }
}

async function listIn(coming: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of coming) {
    octets += chunk.length;
    if (octets > listOctets)
      throw new StickFailure('unreadable', `its list has more than ${listOctets} octets`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const pulledOut = (cause?: unknown) =>
  new StickFailure('pulled-out', 'the stick is not in any more', { cause });

const types: Readonly<Record<StickFormat, string>> = {
  pdf: formats.pdf,
  jpeg: formats.jpeg,
  png: formats.png,
};
const isA = (format: StickFormat, beginning: Buffer): boolean => formatOf(beginning) === types[format];

/** The header of a PDF may stand within the first 1024 octets. */
const enough = 2048;

async function beginningOf(coming: AsyncGenerator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < enough) {
    const { done, value } = await coming.next();
    if (done === true) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return head;
}

async function* following(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** `r/r INODE:`, NAME and four fields, then SIZE, UID and GID, with tabs between. */
const entry = /^r\/r ([0-9]{1,20}(?:-[0-9]{1,5}){0,2}):\t([^\t]+)(?:\t[^\t]*){4}\t([0-9]{1,15})\t/;
const beginning = /^@([0-9]{1,12})$/;

const endings: readonly (readonly [RegExp, StickFormat])[] = [
  [/\.pdf$/i, 'pdf'],
  [/\.jpe?g$/i, 'jpeg'],
  [/\.png$/i, 'png'],
];

/**
 * Reads the output of fls(1) as a list of printable files. The lines are untrusted: a line that does not fit is left
 * out.
 */
function contentsOf(listing: string): StickContents {
  const files: StickFile[] = [];
  let from = '0';
  for (const line of listing.split('\n')) {
    from = beginning.exec(line)?.[1] ?? from;
    const file = fileOf(line, from);
    if (file) files.push(file);
  }
  files.sort((a, b) => collator.compare(a.folder, b.folder) || collator.compare(a.name, b.name));
  return { files: files.slice(0, listed.files), isMore: files.length > listed.files };
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function fileOf(line: string, from: string): StickFile | undefined {
  const [, inode, path, size] = entry.exec(line) ?? [];
  if (inode === undefined || path === undefined || size === undefined) return undefined;
  const format = endings.find(([ending]) => ending.test(path))?.[1];
  const end = path.lastIndexOf('/');
  const name = visibleText(path.slice(end + 1));
  if (!format || name === '') return undefined;
  const folder = visibleText(path.slice(0, Math.max(0, end)));
  return { folder, name, octets: Number(size), format, place: `${from} ${inode}` };
}

interface UsbDisk extends Stick {
  /** `/dev/sda`. */
  readonly path: string;
}

interface DiskSearch {
  /**
   * `auto`: any removable disk on USB; otherwise a path, such as a path of `/dev/disk/by-path`, which names one socket
   * of the machine.
   */
  readonly device: string;
  /** The place where sysfs is mounted. */
  readonly root?: string;
}

/**
 * Finds the sticks that are plugged in, by sysfs (ABI/stable/sysfs-block of the kernel's documentation) or by the path
 * in the configuration. It reads nothing of a stick and does not open its device.
 */
export async function usbDisks({ device, root = '/sys' }: DiskSearch): Promise<readonly UsbDisk[]> {
  if (device !== 'auto') {
    const disk = await diskAt(device, root);
    return disk ? [disk] : [];
  }
  const names = await readdir(join(root, 'block')).catch(() => []);
  const disks = await Promise.all(
    names.filter((name) => /^sd[a-z]+$/.test(name)).map((name) => removableDisk(name, root)),
  );
  return disks.filter((disk) => disk !== undefined);
}

/** `undefined` for a fixed disk and for a card reader without a card. */
async function removableDisk(name: string, root: string): Promise<UsbDisk | undefined> {
  const folder = join(root, 'block', name);
  const [where, removable, size] = await Promise.all([
    realpath(folder).catch(() => ''),
    textOf(join(folder, 'removable')),
    textOf(join(folder, 'size')),
  ]);
  const isIn = /\/usb\d+\//.test(where) && removable === '1' && Number(size ?? 0) > 0;
  return isIn ? { id: `${name} ${await sequenceOf(name, root)}`, path: `/dev/${name}` } : undefined;
}

async function diskAt(device: string, root: string): Promise<UsbDisk | undefined> {
  try {
    const path = await realpath(device);
    const { ino, rdev, birthtimeMs } = await stat(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if ((await textOf(join(root, 'block', name, 'size'))) === '0') return undefined;
    return { id: `${name} ${rdev} ${ino} ${birthtimeMs} ${await sequenceOf(name, root)}`, path };
  } catch {
    return undefined;
  }
}

/** The kernel's count of disks since the machine started. */
const sequenceOf = async (name: string, root: string): Promise<string> =>
  (await textOf(join(root, 'block', name, 'diskseq'))) ?? '';

/** A stick that is pulled out at this moment has no attributes any more. */
const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
