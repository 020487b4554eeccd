/** The guard against an oracle that shares nothing with it: addresses as numbers, ranges as pairs of numbers (T11). */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAddressGuard } from '../../src/printing/address-guard.ts';

const own = ['10.0.0.1', '2001:db8::1'];
const guard = createAddressGuard({
  network: {
    allow: ['10.0.0.0/8', '192.168.7.0/25', '0.0.0.0/1', '2001:db8::/32', 'fe00::/7', '::/3'],
    ports: [{ first: 631, last: 631 }],
    schemes: ['ipp'],
  },
  own: () => own,
});

type Range = readonly [first: bigint, last: bigint];
const quad = (a: number, b: number, c: number, d: number) => BigInt(((a * 256 + b) * 256 + c) * 256 + d);
const ones = (bits: number) => (1n << BigInt(bits)) - 1n;
const block = (start: bigint, prefix: number, width: number): Range => [start, start | ones(width - prefix)];
const v6 = (head: bigint, bits: number) => block(head << BigInt(128 - bits), bits, 128);

const metadata4 = [
  quad(169, 254, 169, 254),
  quad(100, 100, 100, 200),
  quad(168, 63, 129, 16),
  quad(192, 0, 0, 192),
];
const allowed4: readonly Range[] = [
  [quad(0, 0, 0, 0), quad(127, 255, 255, 255)],
  [quad(192, 168, 7, 0), quad(192, 168, 7, 127)],
];
const denied4: readonly Range[] = [
  [quad(0, 0, 0, 0), quad(0, 255, 255, 255)],
  [quad(127, 0, 0, 0), quad(127, 255, 255, 255)],
  [quad(169, 254, 0, 0), quad(169, 254, 255, 255)],
  [quad(224, 0, 0, 0), quad(255, 255, 255, 255)],
  [quad(10, 0, 0, 1), quad(10, 0, 0, 1)],
  ...metadata4.map((address): Range => [address, address]),
];
const allowed6: readonly Range[] = [v6(0x20010db8n, 32), v6(0xfen >> 1n, 7), v6(0n, 3)];
const denied6: readonly Range[] = [
  [0n, ones(32)],
  block(0xffffn << 32n, 96, 128),
  block(0x64ff9bn << 96n, 96, 128),
  block(0x64ff9b0001n << 80n, 48, 128),
  v6(0x20010000n, 32),
  v6(0x2002n, 16),
  v6(0xfe80n >> 6n, 10),
  v6(0xffn, 8),
  block(0xffff_0000n << 32n, 96, 128),
  block(0xfd000ec2n << 96n, 112, 128),
  block((0xfd2000cen << 96n) | 0x254n, 128, 128),
  block((0xfd0000c1n << 96n) | 0xa9fea9fen, 128, 128),
  block((0xfd00a9fea9fen << 80n) | 1n, 128, 128),
  block((0xfd000042n << 96n) | 0x42n, 128, 128),
  block((0x20010db8n << 96n) | 1n, 128, 128),
];

const within = (ranges: readonly Range[], address: bigint) =>
  ranges.some(([first, last]) => first <= address && address <= last);

/** ISATAP, and what a NAT64 would make of it. */
const holdsIpv4 = (address: bigint) => {
  const head = (address >> 32n) & ones(32);
  return head === 0x5efen || head === 0x02005efen || metadata4.includes(address & ones(32));
};

const octets = (address: bigint) => [24n, 16n, 8n, 0n].map((shift) => Number((address >> shift) & 0xffn));
const groups = (address: bigint) =>
  Array.from({ length: 8 }, (_, at) => ((address >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));

const edges = (ranges: readonly Range[], width: number) =>
  fc
    .tuple(fc.constantFrom(...ranges), fc.constantFrom(0, 1), fc.integer({ min: -3, max: 3 }))
    .map(([range, end, off]) => BigInt.asUintN(width, (range[end] ?? 0n) + BigInt(off)));

const address4 = fc.oneof(
  fc.bigInt({ min: 0n, max: ones(32) }),
  edges([...allowed4, ...denied4], 32),
  fc.bigInt({ min: quad(10, 0, 0, 0), max: quad(10, 255, 255, 255) }),
);
const address6 = fc.oneof(
  fc.bigInt({ min: 0n, max: ones(128) }),
  edges([...allowed6, ...denied6], 128),
  ...denied6.map(([min, max]) => fc.bigInt({ min, max })),
  fc
    .tuple(fc.constantFrom(0x5efen, 0x02005efen, 0x5eff_5efen), fc.bigInt({ min: 0n, max: ones(32) }))
    .map(([head, last]) => (0x20010db8n << 96n) | (head << 32n) | last),
  fc.constantFrom(...metadata4).map((last) => (0x20010db8n << 96n) | last),
);

const isUsed = (host: string): boolean => {
  try {
    guard.vet(`ipp://${host}/ipp/print`);
    return true;
  } catch {
    return false;
  }
};
const runs = { numRuns: 3000 };

it('takes an IPv4 address exactly where the oracle does', () => {
  fc.assert(
    fc.property(address4, (address) => {
      expect(isUsed(octets(address).join('.'))).toBe(within(allowed4, address) && !within(denied4, address));
    }),
    runs,
  );
});

it('takes an IPv6 address exactly where the oracle does, however it is written', () => {
  const spellings = [
    (address: bigint) => groups(address).join(':'),
    (address: bigint) => groups(address).join(':').toUpperCase(),
    (address: bigint) =>
      groups(address)
        .map((group) => group.padStart(4, '0'))
        .join(':'),
    (address: bigint) => `${groups(address).slice(0, 6).join(':')}:${octets(address & ones(32)).join('.')}`,
  ];
  fc.assert(
    fc.property(address6, fc.constantFrom(...spellings), (address, spelling) => {
      expect(isUsed(`[${spelling(address)}]`)).toBe(
        within(allowed6, address) && !within(denied6, address) && !holdsIpv4(address),
      );
    }),
    runs,
  );
});

it('takes no IPv4 address in any other clothes', () => {
  const clothes = [
    (address: bigint) => String(address),
    (address: bigint) => `0x${address.toString(16)}`,
    (address: bigint) => `0${address.toString(8)}`,
    (address: bigint) =>
      octets(address)
        .map((octet) => `0${octet.toString(8)}`)
        .join('.'),
    (address: bigint) =>
      octets(address)
        .map((octet) => `0x${octet.toString(16)}`)
        .join('.'),
    (address: bigint) => `${octets(address).join('.')}.`,
    (address: bigint) => octets(address).join('%2e'),
    (address: bigint) => `${octets(address).slice(0, 2).join('.')}.${Number(address & 0xffffn)}`,
    (address: bigint) => `[::ffff:${octets(address).join('.')}]`,
    (address: bigint) => `[64:ff9b::${octets(address).join('.')}]`,
  ];
  fc.assert(
    fc.property(address4, fc.constantFrom(...clothes), (address, dress) => {
      expect(isUsed(dress(address))).toBe(false);
    }),
    runs,
  );
});
