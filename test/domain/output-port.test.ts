import { describe, expect, it } from 'vitest';
import type { OutputPort } from '../../src/domain/output-port.ts';
import { findOutputPort } from '../../src/domain/output-port.ts';

const port = (id: number, deviceSerial: string | undefined, address: string | undefined): OutputPort => ({
  ...{ id, name: `port ${id}`, deviceSerial, address, autoRelease: false },
  ...{ logoutTimeoutSeconds: undefined, monochrome: false, sendUsername: false },
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
