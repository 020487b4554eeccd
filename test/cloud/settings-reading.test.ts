import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { StageOptions } from './settings-reading-stage.ts';
import { alice, settingsReadingOn, lobbyPort } from './settings-reading-stage.ts';

const ports = (...answers: NonNullable<StageOptions['ports']>) => settingsReadingOn({ ports: answers });

it.each([
  ['output ports not read', { ports: ['bug', [lobbyPort]] }],
  ['terminal config not read', { configs: ['bug', undefined] }],
] as [string, StageOptions][])('a bug of ours is told as that: %s', async (msg, answers) => {
  const { clock, log } = settingsReadingOn(answers);
  await clock.advance(minutes(1));
  expect(log.records(msg)).toMatchObject([{ level: 'error', code: 'internal', stack: expect.any(Array) }]);
});

describe('the output ports of the service', () => {
  it('are read once at the start, told when found, and read again hourly', async () => {
    const { reading, portsAsked, changed, clock, within } = ports([lobbyPort]);
    expect(await within(reading.look())).toBe(true);
    expect([portsAsked, changed, reading.of('lobby').port?.id]).toEqual([['device'], ['lobby'], 7]);
    await clock.advance(hours(2));
    expect([portsAsked.length, changed]).toEqual([3, ['lobby']]);
  });

  it('are waited for until the device is authorized, without a call a minute', async () => {
    const { reading, portsAsked, clock, within } = ports('terminal-not-authorized', [lobbyPort]);
    await clock.advance(minutes(30));
    expect(portsAsked).toHaveLength(1);
    expect(await within(reading.look())).toBe(true);
    expect(reading.of('lobby').port?.autoRelease).toBe(true);
  });

  it('hold nobody up longer than five seconds', async () => {
    const { reading, within } = ports('never');
    const wait = reading.look();
    expect(await within(wait, seconds(4))).toBe(false);
    expect(await within(wait, seconds(1))).toBe(true);
  });

  it('that cannot be read are tried again, growing slower', async () => {
    const { reading, portsAsked, clock, within } = ports('cloud-busy', 'cloud-unreachable', [lobbyPort]);
    expect(await within(reading.look())).toBe(true);
    await clock.advance(seconds(16));
    expect([portsAsked.length, reading.of('lobby').port?.id]).toEqual([3, 7]);
  });

  it('that the device may not read are read with the token of the next user (contract, section 3)', async () => {
    const { reading, portsAsked, within } = ports('cloud-denied', [lobbyPort]);
    await within(reading.look(), seconds(5));
    expect(await within(reading.offer('lobby', alice))).toBe(true);
    expect([portsAsked.at(-1), reading.of('lobby').port?.id]).toEqual(['user', 7]);
  });

  it('that the device may read are not asked for by every user', async () => {
    const { reading, portsAsked, within } = ports([lobbyPort]);
    await within(reading.look());
    expect(await within(reading.offer('lobby', alice))).toBe(true);
    expect(portsAsked).not.toContain('user');
  });

  it('without one of ours are a condition until it is there; what was known stays', async () => {
    const { reading, conditions, clock } = settingsReadingOn({
      ports: [[lobbyPort], [], [lobbyPort]],
    });
    await clock.advance(hours(1));
    expect(conditions).toEqual(['cleared output port', 'output-port-unknown']);
    expect(reading.of('lobby').port?.id).toBe(7);
    await clock.advance(hours(1));
    expect(conditions.at(-1)).toBe('cleared output port');
  });
});

it.each<[string, Partial<typeof lobbyPort>, string[]]>([
  [
    'that was found by its address and has another serial number',
    { deviceSerial: 'SN-0009' },
    ['serial-number-wrong'],
  ],
  ['that has the same one, written otherwise', { deviceSerial: 'sn 0001' }, ['cleared output port']],
  ['that has none', { deviceSerial: undefined }, ['cleared output port']],
])('an output port %s is told as that, and serves', async (_, facts, reported) => {
  const { reading, conditions, within } = ports([{ ...lobbyPort, address: '10.0.0.9', ...facts }]);
  await within(reading.look());
  expect([reading.of('lobby').port?.id, conditions]).toEqual([7, reported]);
});

describe('what the service said', () => {
  const kept = { lobby: { since: 1000, port: lobbyPort, config: { printEnabled: false } } };

  it('is taken from the kept copy until it answers, and dated from then', async () => {
    const { reading, changed, clock, within } = settingsReadingOn({
      kept,
      ports: ['cloud-unreachable'],
      configs: ['cloud-unreachable'],
    });
    expect(reading.of('lobby')).toEqual(kept.lobby);
    await within(reading.look());
    await clock.advance(hours(3));
    expect([reading.of('lobby'), changed]).toEqual([kept.lobby, []]);
  });

  it('and says again is no change', async () => {
    const { reading, changed, clock, within } = settingsReadingOn({
      kept,
      configs: [{ printEnabled: false }],
    });
    await within(reading.look());
    expect(reading.of('lobby')).toMatchObject({ since: 1000, lastRead: clock.now() });
    expect(changed).toEqual([]);
  });

  it('is kept when it changes', async () => {
    const {
      reading,
      changed,
      clock,
      kept: store,
      within,
    } = settingsReadingOn({
      kept,
      ports: [[{ ...lobbyPort, autoRelease: false }]],
      configs: [{ printEnabled: true }],
    });
    await within(reading.look());
    expect(changed).toEqual(['lobby', 'lobby']);
    expect(store.get('lobby')).toEqual({
      since: clock.now(),
      port: { ...lobbyPort, autoRelease: false },
      config: { printEnabled: true },
    });
  });

  it('holds although it cannot be kept (D8)', async () => {
    const { reading, log, within } = settingsReadingOn({
      save: () => {
        throw new Problem('store-refused', 'full');
      },
    });
    await within(reading.look());
    expect(reading.of('lobby').port?.id).toBe(7);
    expect(log.records('settings not kept')).not.toEqual([]);
  });
});

describe('a terminal', () => {
  it('that has another printer now knows nothing of the one before, of no kept copy either', () => {
    const { reading } = settingsReadingOn({
      kept: { lobby: { since: 1, port: lobbyPort, config: undefined } },
    });
    expect(reading.of('lobby').port?.id).toBe(7);
    const wanted = { terminal: 'lobby', address: undefined, outputPortId: undefined };
    reading.want({ ...wanted, serialNumber: 'SN-0002' });
    expect(reading.of('lobby')).toEqual({});
  });

  it('that comes later is read at once, with what was kept of it; one that is gone is heard of no more', async () => {
    const annexPort = { ...lobbyPort, id: 8, deviceSerial: 'SN-0009' };
    const { reading, changed, configsAsked, clock, within } = settingsReadingOn({
      ports: [[lobbyPort, annexPort]],
      kept: { annex: { port: { ...annexPort, id: 6 }, config: undefined, since: 1 } },
    });
    await within(reading.look());
    reading.want({
      terminal: 'annex',
      serialNumber: 'SN-0009',
      address: undefined,
      outputPortId: undefined,
    });
    expect(reading.of('annex').port?.id).toBe(6);
    await clock.advance(seconds(2));
    expect(reading.of('annex').port?.id).toBe(8);
    expect(configsAsked.map(({ serial }) => serial)).toContain('SN-0009');

    reading.forget('annex');
    const before = [changed.length, configsAsked.length];
    await clock.advance(hours(2));
    expect(reading.of('annex')).toEqual({});
    expect(changed).toHaveLength(before[0] ?? 0);
    expect(configsAsked.slice(before[1]).map(({ serial }) => serial)).not.toContain('SN-0009');
  });
});
