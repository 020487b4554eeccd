/** Sticks of every kind that people have, read in a room of namespaces by The Sleuth Kit: what is on them, and what is wrong. */
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import { StickFailure } from '../../../src/domain/ports/sticks.ts';
import { lookAtRoom } from '../../../src/printing/stick/stick-room.ts';
import { createSticks } from '../../../src/printing/stick/sticks.ts';
import { usbDisks } from '../../../src/printing/stick/sticks.ts';
import { needsPeer, needsRoot } from '../../support/needs.ts';
import {
  brokenStick,
  exfatStick,
  extStick,
  fatStick,
  ntfsStick,
  stickFolder,
} from '../../support/stick/stick-images.ts';
import type { Files } from '../../support/stick/stick-maker.ts';
import { partition, partitionOfLargeSectors, run } from '../../support/stick/stick-maker.ts';
import { pdfOf } from '../../support/printer/pdf-writer.ts';
import { withoutLimit } from '../../support/patience.ts';

const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');
const largest = 8 * 1024 ** 2;

function sticksAt(device: string, options: Partial<Parameters<typeof createSticks>[0]> = {}) {
  return createSticks({ device, largest, clock: systemClock, chance: systemChance, ...options });
}

async function opened(device: string, options?: Partial<Parameters<typeof createSticks>[0]>) {
  const sticks = sticksAt(device, options);
  const [stick] = await sticks.present();
  if (!stick) throw new Error('there is no stick');
  const { files, isMore } = await sticks.files(stick, withoutLimit());
  return {
    sticks,
    stick,
    files,
    isMore,
    paths: files.map(({ folder, name }) => [folder, name].filter(Boolean).join('/')),
    async content(at = 0, call = withoutLimit()) {
      const file = files[at];
      if (!file) throw new Error('there is no file');
      return Buffer.concat(await all(await sticks.read(stick, file, call)));
    },
  };
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for await (const chunk of chunks) found.push(chunk);
  return found;
}

const troubleOf = async (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'none',
    (error: unknown) => (error instanceof StickFailure ? error.why : String(error)),
  );

needsPeer('fls', 'sleuthkit')('a stick', () => {
  const kinds: readonly (readonly [string, (files: Files) => string])[] = [
    ['FAT32', fatStick],
    ['FAT16', (files) => fatStick(files, 16)],
    ['FAT32 in a partition', (files) => partition(fatStick(files))],
    ['FAT32 in a partition of sectors of 4096 octets', (files) => partitionOfLargeSectors(fatStick(files))],
    ['exFAT', exfatStick],
    ['NTFS', ntfsStick],
    ['ext4', extStick],
  ];
  it.each(kinds)('of %s is read, and its files come whole', async (_, make) => {
    const bytes = Buffer.concat([pdf, Buffer.alloc(300_000, 'x')]);
    const stick = await opened(make({ 'Maß & Zahl.pdf': bytes, 'notes.txt': 'text' }));
    expect([stick.paths, stick.isMore]).toEqual([['Maß & Zahl.pdf'], false]);
    expect(stick.files[0]).toMatchObject({ octets: bytes.length, format: 'pdf' });
    expect((await stick.content()).equals(bytes)).toBe(true);
  });

  it('shows what may be printed, by folder and name, and nothing that hides', async () => {
    const hidden = { '.Trashes/a.pdf': pdf, '._b.pdf': pdf, '$RECYCLE.BIN/c.pdf': pdf, 'd/.e.pdf': pdf };
    const shown = { 'b10.PDF': pdf, 'b9.pdf': pdf, 'Work/x.jpeg': pdf, 'Work/y.png': pdf, 'z.pdf.exe': pdf };
    const { paths } = await opened(fatStick({ ...hidden, ...shown }));
    expect(paths).toEqual(['b9.pdf', 'b10.PDF', 'Work/x.jpeg', 'Work/y.png']);
  });

  it('with more files than anybody looks through shows five hundred, and that there are more', async () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`many/${at}.pdf`, 'x']));
    const { files, isMore } = await opened(fatStick(many));
    expect([files.length, isMore]).toEqual([500, true]);
  });

  it('names files as it likes, and no name is a command, a line or a direction', async () => {
    const names = ['a\u202Efdp.pdf', '$(touch x).pdf', "-o 'rm'.pdf", '`id`;|&.pdf', 'a\nr~r 7: b.pdf'];
    const { paths } = await opened(extStick(Object.fromEntries(names.map((name) => [name, pdf]))));
    expect(paths.toSorted()).toEqual(["-o 'rm'.pdf", '`id`;|&.pdf', 'a^r~r 7: b.pdf', 'afdp.pdf'].toSorted());
  });

  it('of which a folder leads back to itself is read all the same', async () => {
    const device = fatStick({ 'round/trip.pdf': pdf });
    leadBack(device);
    const { paths } = await opened(device);
    expect(paths).toContain('round/trip.pdf');
  });

  it('that is broken, or no filesystem at all, is unreadable', async () => {
    expect(await troubleOf(opened(brokenStick()))).toBe('unreadable');
  });

  it('takes no file for what its name says: its first octets tell', async () => {
    const stick = await opened(fatStick({ 'a.pdf': 'MZ no PDF at all', 'b.png': pdf, 'c.jpg': '' }));
    for (const at of [0, 1, 2]) expect(await troubleOf(stick.content(at))).toBe('unfit');
  });

  it('has no file that is larger than allowed: it is not even read', async () => {
    const stick = await opened(fatStick({ 'a.pdf': pdf }), { largest: 5 });
    expect(await troubleOf(stick.content())).toBe('too-large');
  });

  it('pulled out, or another one in its place, is pulled out, whatever its room says', async () => {
    const device = fatStick({ 'a.pdf': pdf });
    const { sticks, stick, files, content } = await opened(device);
    renameSync(device, `${device}.out`);
    expect(await sticks.present()).toEqual([]);
    expect(await troubleOf(content())).toBe('pulled-out');
    renameSync(fatStick({ 'b.pdf': pdf }), device);
    const [other] = await sticks.present();
    expect(other?.id).not.toBe(stick.id);
    expect(await troubleOf(sticks.files(stick, withoutLimit()))).toBe('pulled-out');
    expect(files).toHaveLength(1);
  });

  it('that is shorter than its files gives none of them, not even a part', async () => {
    const device = fatStick({ 'a.pdf': Buffer.concat([pdf, Buffer.alloc(4_000_000, 1)]) });
    const stick = await opened(device);
    run('truncate', '-s', '2M', device);
    expect(await troubleOf(stick.content())).toBe('unreadable');
  });

  it('is left alone at once when its person has gone', async () => {
    const stick = await opened(fatStick({ 'a.pdf': Buffer.concat([pdf, Buffer.alloc(3_000_000, 1)]) }));
    const left = new AbortController();
    const coming = await stick.sticks.read(stick.stick, stick.files[0] as never, { signal: left.signal });
    await coming.next();
    left.abort(new Error('left'));
    await expect(all(coming)).rejects.toThrow('left');
  });

  it('is not read at all where there is no room that shuts the reading in', async () => {
    const device = fatStick({ 'a.pdf': pdf });
    const parts = { clock: systemClock, chance: systemChance };
    expect(await lookAtRoom(parts, withoutLimit())).toBe('namespaces');
    const limits = { addressSpace: 100_000 };
    expect(await troubleOf(lookAtRoom({ ...parts, limits }, withoutLimit()))).toBe('not-shut-in');
    expect(await troubleOf(opened(device, { limits }))).toBe('not-shut-in');
  });

  it('that takes longer to read than its room is there is unreadable', async () => {
    expect(await troubleOf(opened(fatStick({ 'a.pdf': pdf }), { limits: { wall: seconds(0) } }))).toBe(
      'unreadable',
    );
  });
});

needsPeer('qpdf', 'qpdf')('with qpdf', () => {
  it('a PDF that asks for a password is locked, and one that only its owner has a password for is not', async () => {
    const folder = stickFolder();
    const plain = join(folder, 'plain.pdf');
    writeFileSync(plain, pdfOf([{ entries: '/MediaBox[0 0 9 9]', content: '' }]));
    const made = (user: string, name: string) => {
      run('qpdf', '--encrypt', user, 'owner', '256', '--', plain, join(folder, name));
      return readFileSync(join(folder, name));
    };
    const stick = await opened(fatStick({ 'a.pdf': made('secret', 'a'), 'b.pdf': made('', 'b') }));
    expect(await troubleOf(stick.content(0))).toBe('locked');
    expect(await troubleOf(stick.content(1))).toBe('none');
  });
});

needsRoot()('as root', () => {
  it('a real block device is read like its image', async () => {
    const image = fatStick({ 'a.pdf': pdf });
    const device = String(run('losetup', '--find', '--show', '--read-only', image)).trim();
    onTestFinished(() => {
      chmodSync(device, 0o600);
      run('losetup', '--detach', device);
    });
    // As 70-platen-stick.rules lets its group.
    chmodSync(device, 0o604);
    const stick = await opened(device);
    expect((await stick.content()).equals(pdf)).toBe(true);
  });
});

describe('which sticks are in', () => {
  /** As the kernel shows it: a link of `block` into the tree of devices. */
  function sysfs(disks: Readonly<Record<string, { bus: string; removable: string; size: string }>>): string {
    const root = stickFolder();
    mkdirSync(join(root, 'block'));
    for (const [name, { bus, removable, size }] of Object.entries(disks)) {
      const at = join(root, 'devices', bus, 'block', name);
      mkdirSync(at, { recursive: true });
      for (const [file, text] of Object.entries({ removable, size, diskseq: '7' }))
        writeFileSync(join(at, file), `${text}\n`);
      symlinkSync(at, join(root, 'block', name));
    }
    return root;
  }
  const usb = 'pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/host0/target0:0:0/0:0:0:0';

  it('says sysfs: what is removable, on USB, and not empty; never a disk of the machine', async () => {
    const root = sysfs({
      sda: { bus: 'pci0000:00/0000:00:17.0/ata1/host1', removable: '0', size: '1000' },
      sdb: { bus: usb, removable: '1', size: '1000' },
      sdc: { bus: `${usb}/other`, removable: '0', size: '1000' },
      sdd: { bus: `${usb}/empty`, removable: '1', size: '0' },
      sr0: { bus: `${usb}/cd`, removable: '1', size: '1000' },
    });
    expect(await usbDisks({ device: 'auto', root })).toEqual([{ id: 'sdb 7', path: '/dev/sdb' }]);
  });

  it('none at the path either, where that is a reader of cards without a card', async () => {
    const root = sysfs({ sdd: { bus: usb, removable: '1', size: '0' } });
    const device = join(root, 'sdd');
    writeFileSync(device, '');
    expect(await usbDisks({ device, root })).toEqual([]);
  });

  it('none, where there is no sysfs, or nothing at the path', async () => {
    expect(await usbDisks({ device: 'auto', root: '/no-such-place' })).toEqual([]);
    expect(await usbDisks({ device: '/no-such-place' })).toEqual([]);
  });
});

/** In the folder `round` of a FAT an entry is written over with one that leads to that folder itself. */
function leadBack(image: string): void {
  const bytes = readFileSync(image);
  const at = bytes.indexOf(Buffer.from('ROUND      '));
  const entry = Buffer.from(bytes.subarray(at, at + 32));
  entry.write('AGAIN      ', 0, 'latin1');
  const own = bytes.indexOf(Buffer.from('.          \x10', 'latin1'));
  const file = openSync(image, 'r+');
  let end = own;
  while (bytes[end] !== 0) end += 32;
  writeSync(file, entry, 0, 32, end);
  closeSync(file);
}
