/**
 * What the other side of a connection has not acknowledged yet. Linux tells it in /proc/self/net/tcp (proc(5)): `tx_queue`
 * counts octets and our own end until an acknowledgement has come for them. A connection that was reset is not listed.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import { endianness } from 'node:os';
import { wordsOf } from '../address-ranges.ts';

const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6'] as const;

/** `undefined` where nobody tells. */
export async function unacknowledged(socket: Socket): Promise<number | 'gone' | undefined> {
  const row = rowOf(socket);
  // Twice: the kernel gives a table in pieces, and a row may slip through between two of them.
  for (const path of [...tables, ...tables]) {
    const table = await readFile(path, 'latin1').catch(() => undefined);
    if (table === undefined && path === tables[0]) return undefined;
    const queue = new RegExp(`: ${row} [0-9A-F]{2} ([0-9A-F]{8}):`).exec(table ?? '')?.[1];
    if (queue !== undefined) return Number.parseInt(queue, 16);
  }
  return 'gone';
}

const rowOf = ({ localAddress, localPort, remoteAddress, remotePort }: Socket): string =>
  `${endOf(localAddress, localPort)} ${endOf(remoteAddress, remotePort)}`;

/** An IPv4 address stands in either table; addresses are words of 32 bits in the machine's own order. */
function endOf(address = '', port = 0): string {
  const words = isIPv6(address)
    ? wordsOf(address)
    : [Buffer.from(address.split('.').map(Number)).readUInt32BE()];
  const mapped = isIPv6(address) ? '' : `(?:${[0, 0, 0xffff].map(inHex).join('')})?`;
  return `${mapped}${words.map(inHex).join('')}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

function inHex(word: number): string {
  const bytes = Buffer.alloc(4);
  if (endianness() === 'LE') bytes.writeUInt32LE(word);
  else bytes.writeUInt32BE(word);
  return bytes.toString('hex').toUpperCase();
}
