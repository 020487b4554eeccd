import { describe, expect, it } from 'vitest';
import type { Surroundings } from '../../src/commands/provision/plan.ts';
import { planFor } from '../../src/commands/provision/plan.ts';
import { outsideOf } from '../../src/config/outside.ts';
import { terminal } from '../../src/config/schema/terminal.ts';
import type { OutputPort } from '../../src/domain/output-port.ts';

const configured = (more: { printer?: object; outputPortId?: number; serialNumber?: string } = {}) =>
  terminal(outsideOf('.', {})).parse({
    id: 'annex',
    serialNumber: 'SN-1',
    ...more,
    printer: { uri: 'ipp://10.0.0.1/ipp/print', ...more.printer },
  });
const port = (id: number, more: Partial<OutputPort> = {}): OutputPort => ({
  id,
  name: `port ${id}`,
  ...more,
});
const inOrder = {
  address: '10.0.0.1',
  printProtocol: 'ipp',
  printerIppUrl: 'ipp://10.0.0.1/ipp/print',
  deviceSerial: 'SN-1',
} as const;

const planned = (
  one: ReturnType<typeof configured>,
  ports: readonly OutputPort[] = [],
  others: Surroundings['terminals'] = [],
) => planFor(one, { ports, terminals: [one, ...others], description: 'Lobby gateway' });

describe('the output port of a terminal', () => {
  it('is in order when it says what the configuration says', () => {
    expect(planned(configured(), [port(7, inOrder)])).toEqual({ kind: 'in-order', port: port(7, inOrder) });
  });

  it.each([
    ['no output port at all', []],
    [
      'another serial number at another address',
      [port(7, { ...inOrder, address: '10.0.0.2', deviceSerial: 'SN-2' })],
    ],
  ])('is missing where there is %s', (_, ports) => {
    expect(planned(configured(), ports)).toEqual({
      kind: 'create',
      settings: { portName: 'annex', ...inOrder, description: 'Lobby gateway' },
    });
  });

  it.each([
    [{ address: '10.0.0.9' }, { address: '10.0.0.1' }],
    [{ printProtocol: 'tcp' }, { printProtocol: 'ipp' }],
    [{ printerIppUrl: undefined }, { printerIppUrl: inOrder.printerIppUrl }],
    [{ deviceSerial: undefined }, { deviceSerial: 'SN-1' }],
  ] as const)('with %j differs in that alone', (said, changes) => {
    const different = port(7, { ...inOrder, ...said });
    expect(planned(configured(), [different])).toEqual({
      kind: 'change',
      port: different,
      place: inOrder,
      changes,
    });
  });

  it('is the one with its serial number before the one at its address', () => {
    const moved = port(8, { ...inOrder, address: '10.0.0.8' });
    expect(planned(configured(), [port(7, { address: '10.0.0.1' }), moved])).toMatchObject({
      port: { id: 8 },
    });
  });

  it('is the given one, whatever that says', () => {
    const other = port(9, { ...inOrder, deviceSerial: 'SN-OLD' });
    expect(planned(configured({ outputPortId: 9 }), [port(7, inOrder), other])).toEqual({
      kind: 'change',
      port: other,
      place: inOrder,
      changes: { deviceSerial: 'SN-1' },
    });
    expect(planned(configured({ outputPortId: 10 }), [other])).toMatchObject({
      kind: 'unclear',
      why: expect.stringContaining('no output port 10'),
    });
  });

  const atTheAddress = (id: number, deviceSerial?: string) => port(id, { ...inOrder, deviceSerial });
  it.each([
    ['has another serial number', [atTheAddress(7, 'SN-2')], /output port 7 \(serial number SN-2\)/],
    ['is one of several', [atTheAddress(7), atTheAddress(8)], /output port 7 .*, 8 .*set outputPortId/],
  ])('is not taken from another device: the one at its address %s', (_, ports, why) => {
    expect(planned(configured(), ports)).toEqual({ kind: 'unclear', why: expect.stringMatching(why) });
  });

  it('may share its address with another terminal', () => {
    const neighbour = configured({ serialNumber: 'SN-2' });
    expect(planned(configured(), [atTheAddress(7, 'SN-2')], [neighbour]).kind).toBe('create');
  });
});

describe('the printer of a new output port', () => {
  it.each([
    [
      'ipps://print.example:443/ipp/print',
      { address: 'print.example', printProtocol: 'ipp', printerIppUrl: 'ipps://print.example:443/ipp/print' },
    ],
    [
      'ipp://[fd00::1]/ipp/print',
      { address: 'fd00::1', printProtocol: 'ipp', printerIppUrl: 'ipp://[fd00::1]/ipp/print' },
    ],
    ['socket://10.0.0.1:9100', { address: '10.0.0.1', printProtocol: 'tcp' }],
    ['cups://10.0.0.1:631/QUEUE', { address: '10.0.0.1', printProtocol: 'spooler' }],
  ])('%s is %j', (uri, place) => {
    expect(planned(configured({ printer: { uri } }))).toEqual({
      kind: 'create',
      settings: { portName: 'annex', ...place, deviceSerial: 'SN-1', description: 'Lobby gateway' },
    });
  });

  it('takes the format the configuration names', () => {
    const settings = { outputType: 'ps3' };
    expect(planned(configured({ printer: settings }))).toMatchObject({ kind: 'create', settings });
  });

  it.each(['auto', 'cups:QUEUE', 'windows:PRINTER'])('is not known where the URI is %s', (uri) => {
    expect(planned(configured({ printer: { uri } }), [port(7, inOrder)]).kind).toBe('left-alone');
  });
});
