/**
 * A pcscd for tests, without readers or cards of the real kind: the client's protocol written from pcsc-lite's sources
 * (src/winscard_msg.h, winscard_svc.c, eventhandler.c), not from ours, with the faults a real one cannot be made to have.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';

const code = {
  success: 0,
  unknownReader: 0x80100009,
  noSmartCard: 0x8010000c,
  serviceStopped: 0x8010001e,
};

/** Of the virtual reader; `answers` is the card's, in hexadecimal, or the value of a failed connection. */
export interface DaemonReader {
  name: string;
  events: number;
  /** SCARD_ABSENT 2, SCARD_PRESENT 4, SCARD_UNKNOWN 1. */
  bits: number;
  answers: string | number;
}

export interface DaemonFaults {
  /** Takes connections and requests, and answers none. */
  hangs?: boolean;
  /** Closes each connection at once, as where polkit says no. */
  refuses?: boolean;
  /** Something changes whenever the table has just been told. */
  changesAgain?: boolean;
  /** Instead of the answer to this command. */
  says?: { readonly to: number; readonly bytes: Buffer };
}

export interface PcscDaemon extends AsyncDisposable {
  readonly path: string;
  readonly readers: DaemonReader[];
  readonly faults: DaemonFaults;
  /** Requests so far, by command. */
  readonly requests: readonly number[];
  /** The minors it takes; a client that proposes another is told the last one. */
  minors: readonly number[];
  lay(answers: string | number, at?: number): void;
  take(at?: number): void;
  /** What the readers are was changed by hand. */
  changed(): void;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** Listens at the path after `start`. */
export function createPcscDaemon(path: string): PcscDaemon {
  const readers: DaemonReader[] = [];
  const faults: DaemonFaults = {};
  const requests: number[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<Socket>();
  let server: Server | undefined;

  const daemon: PcscDaemon = {
    path,
    readers,
    faults,
    requests,
    minors: [4],
    lay(answers, at = 0) {
      Object.assign(reader(at), { bits: 4, answers, events: reader(at).events + 1 });
      daemon.changed();
    },
    take(at = 0) {
      Object.assign(reader(at), { bits: 2, events: reader(at).events + 1 });
      daemon.changed();
    },
    changed() {
      for (const socket of waiting) socket.write(words(0, code.success));
      waiting.clear();
    },
    async start() {
      rmSync(path, { force: true });
      server = createServer(serve);
      server.listen(path);
      await once(server, 'listening');
    },
    async kill() {
      const closed = new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
      for (const socket of sockets) socket.destroy();
      await closed;
      server = undefined;
    },
    [Symbol.asyncDispose]: () => daemon.kill(),
  };

  function reader(at: number): DaemonReader {
    const one = readers[at];
    if (!one) throw new Error(`no reader ${at}`);
    return one;
  }

  function serve(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      waiting.delete(socket);
    });
    if (faults.refuses) return void socket.destroy();
    let heard = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      heard = Buffer.concat([heard, bytes]);
      while (heard.length >= 8) {
        const size = heard.readUInt32LE(0);
        const command = heard.readUInt32LE(4);
        // A transmission is followed by what is to be transmitted.
        const extra = command === 9 && heard.length >= 24 ? heard.readUInt32LE(8 + 12) : 0;
        if (heard.length < 8 + size + extra) return;
        answer(socket, command, heard.subarray(8, 8 + size));
        heard = heard.subarray(8 + size + extra);
      }
    });
  }

  function answer(socket: Socket, command: number, body: Buffer): void {
    requests.push(command);
    if (faults.hangs) return;
    if (faults.says?.to === command) return void socket.write(faults.says.bytes);
    switch (command) {
      case 0x11: {
        const isKnown = body.readUInt32LE(0) === 4 && daemon.minors.includes(body.readUInt32LE(4));
        const own = daemon.minors.at(-1) ?? 0;
        return void socket.write(words(4, own, isKnown ? code.success : code.serviceStopped));
      }
      case 0x01:
        return void socket.write(words(2, 4711, code.success));
      case 0x13:
        waiting.add(socket);
        socket.write(table(readers));
        if (faults.changesAgain) daemon.changed();
        return;
      case 0x14:
        if (waiting.delete(socket)) socket.write(words(0, code.success));
        return;
      case 0x04: {
        const name = body.toString('latin1', 4, 4 + 128).replace(/\0.*$/s, '');
        const at = readers.findIndex((one) => one.name === name);
        return void socket.write(
          Buffer.concat([body.subarray(0, 132), words(2, 3, at, 2, connecting(readers[at]))]),
        );
      }
      case 0x09: {
        const reported = readers[body.readUInt32LE(0)]?.answers;
        const said = Buffer.from(typeof reported === 'string' ? reported : '', 'hex');
        return void socket.write(Buffer.concat([words(0, 2, 16, 5, 3, 16, said.length, code.success), said]));
      }
      case 0x06:
        return void socket.write(words(body.readUInt32LE(0), 0, code.success));
      default:
        socket.destroy();
    }
  }

  return daemon;
}

function connecting(reader: DaemonReader | undefined): number {
  if (!reader) return code.unknownReader;
  if ((reader.bits & 4) === 0) return code.noSmartCard;
  return typeof reader.answers === 'number' ? reader.answers : code.success;
}

/** The sixteen places of pcscd, each of 184 bytes. */
export function table(readers: readonly DaemonReader[]): Buffer {
  const bytes = Buffer.alloc(16 * 184);
  for (const [index, { name, events, bits }] of readers.entries()) {
    bytes.write(name, index * 184, 127, 'latin1');
    words(events, bits).copy(bytes, index * 184 + 128);
  }
  return bytes;
}

export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}
