import { describe, expect, it } from 'vitest';
import type { OutputPort } from '../../src/domain/output-port.ts';
import { findOutputPort, idUnder, isSameSerial, keyOf } from '../../src/domain/output-port.ts';

const port = (id: number, deviceSerial: string | undefined, address: string | undefined): OutputPort => ({
  id,
  name: `port ${id}`,
  deviceSerial,
  address,
  autoRelease: false,
  logoutTimeoutSeconds: undefined,
  monochrome: false,
  sendUsername: false,
});
const ports = [
  port(1, 'SN-9', '10.0.0.7'),
  port(2, 'SN-1', '10.0.0.8'),
  port(3, undefined, '10.0.0.9'),
  port(4, 'SN-4', undefined),
];

describe('a terminal finds its output port', () => {
  it.each([
    ['by serial number first', { serialNumber: 'SN-1', address: '10.0.0.7' }, 2],
    ['by address where no serial number fits', { serialNumber: 'SN-0', address: '10.0.0.9' }, 3],
    ['by the configured number alone', { id: 1, serialNumber: 'SN-1', address: '10.0.0.9' }, 1],
    [
      'by serial number alone where the port is to tell the address',
      { serialNumber: 'SN-1', address: undefined },
      2,
    ],
    ['not by an address nobody has', { serialNumber: 'SN-0', address: undefined }, undefined],
    ['not at all', { serialNumber: 'SN-0', address: '10.0.0.1' }, undefined],
  ])('%s', (_how, wanted, id) => {
    expect(findOutputPort(ports, wanted)?.id).toBe(id);
  });
});

describe('what is recorded goes to the output port', () => {
  it.each([
    ['under the configured number where none is known', undefined, { serialNumber: 'SN-1' }],
    ['under its own number, whatever is configured', port(1, 'SN-9', '10.0.0.7'), { serialNumber: 'SN-9' }],
    [
      'by its address besides, where it has none',
      port(3, undefined, '10.0.0.9'),
      { serialNumber: 'SN-1', address: '10.0.0.9' },
    ],
    ['as far as it can be named', port(5, undefined, undefined), { serialNumber: 'SN-1' }],
  ])('%s', (_how, found, key) => {
    expect(keyOf(found, 'SN-1')).toEqual(key);
  });

  it('which is known again by that, and by nothing else', () => {
    const [numbered, plain] = [port(1, 'SN-9', '10.0.0.7'), port(3, undefined, '10.0.0.9')];
    expect(idUnder(numbered, keyOf(numbered, 'SN-1'))).toBe(1);
    expect(idUnder(plain, keyOf(plain, 'SN-1'))).toBe(3);
    expect(idUnder(numbered, { serialNumber: 'SN-1' })).toBeUndefined();
    expect(idUnder(port(5, undefined, undefined), { serialNumber: 'SN-1' })).toBeUndefined();
    expect(idUnder(undefined, { serialNumber: 'SN-1' })).toBeUndefined();
  });
});

it.each([
  ['VNB8K-12345', 'vnb8k12345', true],
  [' SN 0001', 'SN-0001', true],
  ['SN-0001', 'SN-0002', false],
  ['SN-0001', '', false],
])('a serial number is the same however people copy it: %s and %s', (one, other, same) => {
  expect(isSameSerial(one, other)).toBe(same);
});
