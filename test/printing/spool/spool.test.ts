import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import type { LongCallOptions } from '../../../src/domain/ports/call.ts';
import type { SpooledDocument } from '../../../src/domain/ports/printing.ts';
import type { Download } from '../../../src/domain/ports/service.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';
import type { SpoolDeps } from '../../../src/printing/spool/spool.ts';
import { openSpool } from '../../../src/printing/spool/spool.ts';
import { pdfOf, temporaryDirectory } from '../../support/printer/samples.ts';
import { eventually, withoutLimit } from '../../support/patience.ts';

const mebibyte = 1024 * 1024;

async function setUp(options: Partial<SpoolDeps> = {}) {
  const directory = temporaryDirectory();
  const spool = await openSpool({ directory, chance: systemChance, ...options });
  const store = async (
    download: Download,
    call: LongCallOptions = withoutLimit(),
  ): Promise<SpooledDocument> => {
    const document = await spool.store(download, call);
    onTestFinished(() => document[Symbol.dispose]());
    return document;
  };
  return { directory, store };
}

const download = (bytes: Buffer, length: number | undefined = bytes.length): Download => ({
  length,
  bytes: Readable.from(chunksOf(bytes), { objectMode: false }),
});

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000);
}

/** The descriptors this process has on files of the directory that have no name any more. */
const namelessFiles = (directory: string): readonly string[] =>
  readdirSync('/proc/self/fd')
    .map((fd) => join('/proc/self/fd', fd))
    .filter((path) => targetOf(path).startsWith(directory) && targetOf(path).endsWith(' (deleted)'));

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor);
  } catch {
    // The descriptor that listed the others is closed by now.
    return '';
  }
}

const places = [
  ['in memory', { inMemory: 32 * mebibyte }],
  ['on the disk', { inMemory: 0 }],
] as const;
const onDisk = { inMemory: 0 };

describe.each(places)('a document in the spool, %s', (_, place) => {
  it('tells of every part that has come', async () => {
    const { store } = await setUp(place);
    let parts = 0;
    await store(download(pdfOf(130_000)), { ...withoutLimit(), onProgress: () => (parts += 1) });
    expect(parts).toBe(3);
  });

  it.each([1, 4095, 128 * 1024, 1_000_000])(
    'of %i octets is read as it came, as often as wanted',
    async (length) => {
      const { store } = await setUp(place);
      const bytes = pdfOf(Math.max(length, 9)).subarray(0, length);
      const document = await store(download(bytes));
      expect(document.length).toBe(length);
      expect(document.digest()).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect((await buffer(document.read())).equals(bytes)).toBe(true);
      expect((await buffer(document.read())).equals(bytes)).toBe(true);
    },
  );

  it('is known by its first octets', async () => {
    const { store } = await setUp(place);
    expect((await store(download(pdfOf(100)))).format).toBe('application/pdf');
    expect((await store(download(Buffer.from('something\0')))).format).toBe('application/octet-stream');
  });

  it('needs no Content-Length', async () => {
    const { store } = await setUp(place);
    const bytes = pdfOf(100_000);
    const document = await store({ ...download(bytes), length: undefined });
    expect(document.length).toBe(bytes.length);
  });

  it('is read no more when it was put away', async () => {
    const { store } = await setUp(place);
    const document = await store(download(pdfOf(1000)));
    document[Symbol.dispose]();
    document[Symbol.dispose]();
    await expect(buffer(document.read())).rejects.toMatchObject({ code: 'spool-failed' });
  });
});

describe('a document for which there is room in memory', () => {
  it('is written to no disk (I4)', async () => {
    const { directory, store } = await setUp({ inMemory: mebibyte });
    await store(download(pdfOf(mebibyte)));
    expect(namelessFiles(directory)).toEqual([]);
  });

  it('leaves the room to the next one when it is put away; others wait on the disk meanwhile', async () => {
    const { directory, store } = await setUp({ inMemory: mebibyte });
    const first = await store(download(pdfOf(mebibyte)));
    const second = await store(download(pdfOf(mebibyte)));
    expect(namelessFiles(directory)).toHaveLength(1);
    first[Symbol.dispose]();
    second[Symbol.dispose]();
    await eventually(() => expect(namelessFiles(directory)).toEqual([]));
    await store(download(pdfOf(mebibyte)));
    expect(namelessFiles(directory)).toEqual([]);
  });

  it('takes no more than 11 MiB of it, and the rest of the document is right behind them', async () => {
    const { directory, store } = await setUp();
    const bytes = pdfOf(12 * mebibyte);
    const document = await store(download(bytes));
    const [file = ''] = namelessFiles(directory);
    expect(statSync(file).blocks * 512).toBeLessThanOrEqual(2 * mebibyte);
    expect((await buffer(document.read())).equals(bytes)).toBe(true);
  });
});

describe('a document on the disk', () => {
  it('has no name, no other reader, and no plain octet on the disk (I4)', async () => {
    const { directory, store } = await setUp(onDisk);
    const canary = Buffer.from('the canary sings in clear');
    await store(download(Buffer.concat([pdfOf(200_000), canary, pdfOf(200_000)])));
    expect(readdirSync(directory)).toEqual([]);
    const [file = '', ...more] = namelessFiles(directory);
    expect(more).toEqual([]);
    expect(statSync(file)).toMatchObject({ nlink: 0, size: 400_000 + canary.length, mode: 0o100600 });
    const written = readFileSync(file);
    expect(written.includes(canary)).toBe(false);
    expect(written.includes('%PDF')).toBe(false);
  });

  it('never comes out whole when its file was damaged', async () => {
    const { directory, store } = await setUp(onDisk);
    const document = await store(download(pdfOf(500_000)));
    const [file = ''] = namelessFiles(directory);
    writeFileSync(file, 'damage', { flag: 'r+' });
    const seen: Buffer[] = [];
    const reading = async () => {
      for await (const chunk of document.read()) seen.push(Buffer.from(chunk));
    };
    await expect(reading()).rejects.toMatchObject({ code: 'spool-failed' });
    expect(Buffer.concat(seen).length).toBeLessThan(500_000);
  });

  it('has its key in no memory of ours, and is gone when it is put away', async () => {
    const keys: Buffer[] = [];
    const bytes = (count: number) => {
      keys.push(systemChance.bytes(count));
      return keys.at(-1) ?? Buffer.alloc(0);
    };
    const { directory, store } = await setUp({ ...onDisk, chance: { ...systemChance, bytes } });
    const document = await store(download(pdfOf(1000)));
    expect(keys).toEqual([Buffer.alloc(32)]);
    expect(namelessFiles(directory)).toHaveLength(1);
    document[Symbol.dispose]();
    await eventually(() => expect(namelessFiles(directory)).toEqual([]));
  });
});

/** Begins, and then nothing more comes. */
function endless(): Readable {
  const bytes = new Readable({ read: () => {} });
  bytes.push(pdfOf(mebibyte));
  return bytes;
}

const broken = (error: Error): Readable =>
  Readable.from(
    (function* () {
      yield pdfOf(1000);
      throw error;
    })(),
    { objectMode: false },
  );

describe('a download that is not kept', () => {
  it.each<[string, () => Download, string]>([
    ['shorter than announced', () => download(pdfOf(1000), 1001), 'document-cut'],
    ['longer than announced', () => download(pdfOf(1000), 999), 'document-cut'],
    ['empty', () => download(Buffer.alloc(0)), 'document-cut'],
    ['larger than 2 GiB', () => download(pdfOf(1000), 2 * 1024 ** 3 + 1), 'document-too-large'],
    ['a sign-in page', () => download(Buffer.from('<!doctype html><p>Sign in')), 'document-not-printable'],
    ['an error message', () => download(Buffer.from('{"errorCode":403}')), 'document-not-printable'],
    ['broken off', () => ({ length: 2000, bytes: broken(new Error('reset')) }), 'document-cut'],
    ['refused', () => ({ length: 2000, bytes: broken(new Problem('cloud-busy', 'busy')) }), 'cloud-busy'],
  ])('%s leaves nothing behind', async (_, made, code) => {
    const { directory, store } = await setUp();
    const given = made();
    await expect(store(given)).rejects.toMatchObject({ code });
    expect(given.bytes.destroyed).toBe(true);
    expect(readdirSync(directory)).toEqual([]);
    await eventually(() => expect(namelessFiles(directory)).toEqual([]));
  });

  it('is called empty where it is, and not cut', async () => {
    const { store } = await setUp();
    await expect(store(download(Buffer.alloc(0)))).rejects.toThrow('the service sent an empty document');
  });

  it('for want of room, before a byte of it is taken (I8)', async () => {
    const { store } = await setUp({ freeOctets: async () => 64 * mebibyte + 999 });
    const given = download(pdfOf(1000));
    await expect(store(given)).rejects.toMatchObject({ code: 'spool-full' });
  });

  it('when the room goes while it comes', async () => {
    const rooms = [1000 * mebibyte, 63 * mebibyte];
    const freeOctets = vi.fn<() => Promise<number>>(async () => rooms.shift() ?? 0);
    const { store } = await setUp({ freeOctets });
    await expect(store(download(pdfOf(20 * mebibyte)))).rejects.toMatchObject({ code: 'spool-full' });
    expect(freeOctets).toHaveBeenCalledTimes(2);
  });

  it('when the caller gives it up', async () => {
    const { directory, store } = await setUp(onDisk);
    const given: Download = { length: 2 * mebibyte, bytes: endless() };
    const stop = new AbortController();
    const storing = store(given, { signal: stop.signal });
    await eventually(() => expect(namelessFiles(directory)).toHaveLength(1));
    stop.abort(new Error('the session is over'));
    await expect(storing).rejects.toThrow('the session is over');
    expect(given.bytes.destroyed).toBe(true);
    await eventually(() => expect(namelessFiles(directory)).toEqual([]));
  });
});

describe('the directory of the spool', () => {
  it('is made for the agent alone, and emptied of what a crash left', async () => {
    const directory = join(temporaryDirectory(), 'spool');
    await openSpool({ directory, chance: systemChance });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    writeFileSync(join(directory, 'left-behind'), '');
    await openSpool({ directory, chance: systemChance });
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is named when it cannot be made', async () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    const opening = openSpool({ directory: join(file, 'spool'), chance: systemChance });
    await expect(opening).rejects.toMatchObject({ code: 'state-unusable' });
  });
});
