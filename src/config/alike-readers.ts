/**
 * Readers that dial in at one address must be told apart, by where they come from or by their hello lines: else one
 * reader's badge would open a session at another one's terminal.
 */
import { BlockList, isIP } from 'node:net';
import type { Mistake } from './mistakes.ts';
import type { ReaderConfig } from './reader-schema.ts';
import { placeText } from './reader-schema.ts';

type DiallingReader = Extract<ReaderConfig, { type: 'tcp-listen' }>;

interface Readers {
  readonly terminals: readonly { readonly id: string; readonly readers: readonly ReaderConfig[] }[];
}

export function withoutDistinction({ terminals }: Readers): Mistake[] {
  const earlier: { readonly reader: DiallingReader; readonly terminal: string }[] = [];
  return terminals.flatMap(({ id, readers }, index) =>
    readers.flatMap((reader, at) => {
      if (reader.type !== 'tcp-listen') return [];
      const alike = earlier.find((one) => isAlike(one.reader, reader));
      earlier.push({ reader, terminal: id });
      if (!alike) return [];
      const message =
        `cannot be told from the reader of ${alike.terminal} at ${placeText(reader.listen)}; ` +
        'give them different addresses in from, or each a hello line of its own';
      return [{ path: ['terminals', index, 'readers', at], message }];
    }),
  );
}

function isAlike(one: DiallingReader, other: DiallingReader): boolean {
  if (placeText(one.listen) !== placeText(other.listen)) return false;
  const haveNames = one.hello !== undefined && other.hello !== undefined;
  if (haveNames && one.hello !== other.hello) return false;
  if (one.from.length === 0 || other.from.length === 0) return true;
  return one.from.some((a) => other.from.some((b) => holds(a, b) || holds(b, a)));
}

/** The network, or the one address, has the other one's first address in it. */
function holds(network: string, other: string): boolean {
  const [address = '', prefix] = network.split('/');
  const [first = ''] = other.split('/');
  if (isIP(address) !== isIP(first)) return false;
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  return list.check(first, family);
}
