/**
 * How the kernel writes an end of a connection in /proc/net/tcp and tcp6 (proc(5)): words of 32 bits in hex, in the octet
 * order of the machine.
 */
import { endianness } from 'node:os';

export function tableWord(word: number): string {
  const bytes = Buffer.alloc(4);
  if (endianness() === 'LE') bytes.writeUInt32LE(word);
  else bytes.writeUInt32BE(word);
  return bytes.toString('hex').toUpperCase();
}

export const tablePort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** RFC 4291, 2.5.5.2: what stands before an IPv4 address in the table of IPv6. */
export const tableMapped = [0, 0, 0xffff].map(tableWord).join('');
