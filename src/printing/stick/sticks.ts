/** The port Sticks: what is in by `usb-disks.ts`, what is on it by The Sleuth Kit in its room. */
import { seconds } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Stick, StickFile, StickFormat, Sticks } from '../../domain/ports/sticks.ts';
import { StickFailure } from '../../domain/ports/sticks.ts';
import { formatOf, formats } from '../document-format.ts';
import { contentsOf } from './stick-list.ts';
import type { StickRoom, StickRoomOptions } from './stick-room.ts';
import { createStickRoom } from './stick-room.ts';
import type { UsbDisk } from './usb-disks.ts';
import { usbDisks } from './usb-disks.ts';

export interface SticksOptions extends StickRoomOptions {
  /** Of the configuration. */
  readonly device: string;
  /** Octets of a file. */
  readonly largest: number;
}

/** Somebody stands there and waits. */
const listTime = seconds(20);
/** More is told by no list that anybody made; of one that has no end it is all that is kept. */
const listOctets = 32 * 1024 ** 2;

export const createSticks = (options: SticksOptions): Sticks => new SticksOfMachine(options);

class SticksOfMachine implements Sticks {
  readonly #options: SticksOptions;
  readonly #inRoom: StickRoom;

  constructor(options: SticksOptions) {
    this.#options = options;
    this.#inRoom = createStickRoom(options);
  }

  present(): Promise<readonly UsbDisk[]> {
    return usbDisks(this.#options);
  }

  async files(stick: Stick, { signal }: CallOptions) {
    const within = { signal: this.#options.clock.deadline(listTime, signal) };
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
    if (octets > this.#options.largest) {
      throw new StickFailure(
        'too-large',
        `the file has ${octets} octets, and ${this.#options.largest} are allowed`,
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

  /** What is read of a stick that is not in any more is nothing, whatever its room says of that. */
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

/** Of a PDF the header may stand within the first 1024 octets. */
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
