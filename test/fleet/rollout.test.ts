/** Roll-outs on the virtual clock: two hundred gateways follow, look after the roll-out with each other, and halt it (F16). */
import { describe, expect, it, onTestFinished } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import type { TestGateway } from './follower.ts';
import { startGateway } from './follower.ts';
import { createSigner, EngineInMemory } from '../support/fleet/signed-fleet.ts';

const good = { 'base.yaml': 'log: { level: warn }\n' };
const bad = { 'base.yaml': 'log: { level: error }\n' };
const isBad = ({ log }: Record<string, unknown>) => (log as { level: string } | undefined)?.level === 'error';

interface FleetOptions {
  readonly count: number;
  /** Terminals in order at a gateway, of four. */
  well?(gateway: TestGateway): number;
  refuses?(settings: Record<string, unknown>): readonly string[];
  /** Tells nothing of itself. */
  isSilent?(gateway: TestGateway): boolean;
  /** Their files name whoever signs. */
  isFollowing?(name: string): boolean;
}

/** In the order of their ranks; each tells of itself every 30 s. */
async function fleetOf({
  count,
  well = () => 4,
  refuses = () => [],
  isSilent = () => false,
  isFollowing = () => true,
}: FleetOptions) {
  const clock = createSteeredClock();
  const engine = new EngineInMemory(clock);
  const signer = createSigner();
  const gateways = Array.from({ length: count }, (_, index) =>
    startGateway({
      engine,
      clock,
      name: `gateway-${index}`,
      mistakesOf: refuses,
      signers: isFollowing(`gateway-${index}`) ? [signer] : [],
      // Any of them may; two hundred would make the test slow.
      onlyFollows: index >= 3,
    }),
  );
  onTestFinished(async () => {
    await Promise.all(gateways.map((gateway) => gateway[Symbol.asyncDispose]()));
  });
  const tellAll = () => {
    for (const gateway of gateways) {
      if (isSilent(gateway)) continue;
      const { version, refused, follows } = gateway.follower.standing();
      const digest = { version, refused, follows, well: well(gateway) };
      engine.digests.set(gateway.member, { at: clock.monotonic(), digest });
    }
  };
  const pass = async (span: number) => {
    for (let passed = 0; passed < span; passed += seconds(30)) {
      tellAll();
      await clock.advance(seconds(30));
    }
  };
  await pass(seconds(30));
  const roll = (number: number, version: number, files: Record<string, string>, order = {}) => {
    engine.push(signer.version(version, files), version);
    engine.give(number, signer.order({ number, version, ...order }), gateways);
  };
  const runOn = (version: number | null) =>
    gateways.filter(({ follower }) => follower.standing().version === version).length;
  const reported = (msg: string) => gateways.flatMap(({ log }) => log.records(msg));
  return { clock, engine, signer, gateways, pass, roll, runOn, reported };
}

describe('F16: a roll-out in a fleet of 200', () => {
  it('goes to 1 %, 10 % and all, each after the one before was well for the soak time', async () => {
    const { engine, roll, pass, runOn, reported } = await fleetOf({ count: 200 });
    roll(1, 1, good);
    await pass(minutes(1));
    expect(runOn(1)).toBe(2);
    await pass(minutes(2));
    expect(runOn(1)).toBe(20);
    await pass(minutes(6));
    expect(runOn(1)).toBe(200);
    expect(engine.rollout).toMatchObject({ state: 'finished', why: null });
    expect(reported('rollout goes on').map(({ percent, gateways }) => [percent, gateways])).toEqual(
      expect.arrayContaining([
        [10, 20],
        [100, 200],
      ]),
    );
    expect(reported('rollout finished')).toHaveLength(1);
    expect(reported('config version taken')).toHaveLength(200);
  });

  it('halts at 1 % when a gateway refuses, and says which one and why; the others keep what they have', async () => {
    const refuses = (settings: Record<string, unknown>) =>
      isBad(settings) ? ['platen.yaml:3: terminals[0].printer.uri: is missing'] : [];
    const { engine, gateways, roll, pass, runOn, reported } = await fleetOf({ count: 200, refuses });
    roll(1, 1, bad);
    await pass(minutes(3));
    expect(runOn(1)).toBe(0);
    expect(gateways.filter(({ reloads }) => reloads > 0)).toHaveLength(2);
    const why = 'refuses it: platen.yaml:3: terminals[0].printer.uri: is missing';
    expect(engine.rollout).toMatchObject({ state: 'halted', gateway: 'gateway-0', why });
    expect(reported('rollout halted')).toMatchObject([{ gateway: 'gateway-0', why, version: 1 }]);
    expect(gateways[0]?.conditions.list()).toMatchObject([{ code: 'fleet-config-refused' }]);
    expect(gateways[2]?.conditions.list()).toEqual([]);
  });

  it('halts at 1 % when terminals are lost by a version that every schema takes', async () => {
    const well = ({ settings }: TestGateway) => (isBad(settings) ? 1 : 4);
    const { engine, roll, pass, runOn } = await fleetOf({ count: 200, well });
    roll(1, 1, bad);
    await pass(minutes(4));
    expect(runOn(1)).toBe(2);
    expect(engine.rollout).toMatchObject({
      state: 'halted',
      gateway: 'gateway-0',
      why: 'has 1 working terminals, but had 4 when the order was given',
    });
  });

  it('lets a terminal be away for the moment of the change', async () => {
    let isChanging = true;
    const well = ({ settings }: TestGateway) => (isChanging && isBad(settings) ? 3 : 4);
    const { engine, roll, pass, runOn } = await fleetOf({ count: 20, well });
    roll(1, 1, bad);
    await pass(seconds(30));
    await pass(seconds(30));
    isChanging = false;
    await pass(minutes(8));
    expect(runOn(1)).toBe(20);
    expect(engine.rollout).toMatchObject({ state: 'finished' });
  });

  it.each([
    ['one of the sample', (name: string) => name !== 'gateway-1', 'gateway-1'],
    ['nobody', () => false, 'gateway-0'],
  ])(
    'halts at once where %s cannot follow, because a file names no signer',
    async (_, isFollowing, gateway) => {
      const { engine, roll, pass, runOn } = await fleetOf({ count: 110, isFollowing });
      roll(1, 1, good);
      await pass(minutes(1));
      expect(engine.rollout).toMatchObject({
        state: 'halted',
        gateway,
        why: 'has no fleet.signers, and uses only its own file',
      });
      expect(runOn(1)).toBeLessThan(2);
    },
  );

  it('halts when one of the sample does not come, and when one falls silent after it came', async () => {
    const silent = { names: new Set(['gateway-1']) };
    const isSilent = ({ name }: TestGateway) => silent.names.has(name);
    const { engine, roll, pass } = await fleetOf({ count: 110, isSilent });
    roll(1, 1, good);
    await pass(minutes(9));
    expect(engine.rollout).toMatchObject({ state: 'running', step: 0 });
    await pass(minutes(2));
    expect(engine.rollout).toMatchObject({
      state: 'halted',
      gateway: 'gateway-1',
      why: 'did not accept the version within 10 minutes; run platen status there',
    });

    silent.names.clear();
    await pass(seconds(30));
    roll(2, 2, bad, { soakSeconds: 3600 });
    await pass(minutes(1));
    silent.names.add('gateway-0');
    await pass(minutes(5));
    expect(engine.rollout).toMatchObject({ state: 'halted', gateway: 'gateway-0' });
    expect(engine.rollout?.why).toMatch(/^has reported nothing for 3 minutes/);
  });

  it('takes no further gateway while it is paused', async () => {
    const { engine, roll, pass, runOn } = await fleetOf({ count: 20 });
    roll(1, 1, good);
    await pass(minutes(1));
    expect(runOn(1)).toBe(1);
    if (engine.rollout) engine.rollout = { ...engine.rollout, state: 'paused', revision: 100 };
    await pass(minutes(10));
    expect(runOn(1)).toBe(1);
    engine.resume();
    await pass(minutes(10));
    expect(runOn(1)).toBe(20);
  });

  it('tries once more when somebody resumes it, and halts again only by what is told since', async () => {
    let isMended = false;
    const refuses = () => (isMended ? [] : ['a mistake']);
    const { engine, roll, pass, runOn } = await fleetOf({ count: 20, refuses });
    roll(1, 1, good);
    await pass(minutes(2));
    expect(engine.rollout).toMatchObject({ state: 'halted', why: 'refuses it: a mistake' });
    isMended = true;
    engine.resume();
    await pass(minutes(10));
    expect(engine.rollout).toMatchObject({ state: 'finished', why: null });
    expect(runOn(1)).toBe(20);
  });

  it('goes on once for each step, however many look after it', async () => {
    const { engine, roll, pass } = await fleetOf({ count: 50 });
    roll(1, 1, good, { soakSeconds: 0 });
    await pass(minutes(5));
    expect(engine.rollout?.state).toBe('finished');
    expect(engine.steps.map(({ step, state }) => `${state} ${step}`)).toEqual([
      'running 1',
      'running 2',
      'finished 2',
    ]);
  });

  it('leads back by a signed order alone, to the version before and to the own file', async () => {
    const { engine, signer, gateways, roll, pass, runOn } = await fleetOf({ count: 3 });
    const all = { steps: [100], soakSeconds: 0 };
    roll(1, 1, good, all);
    await pass(minutes(2));
    roll(2, 2, bad, all);
    await pass(minutes(2));
    expect(runOn(2)).toBe(3);

    engine.give(3, signer.order({ number: 3, version: 1, ...all }), gateways);
    await pass(minutes(2));
    expect(runOn(2)).toBe(3);
    expect(engine.rollout?.why).toMatch(/version 1 is older than version 2/);

    engine.give(4, signer.order({ number: 4, kind: 'undo', version: 1, ...all }), gateways);
    await pass(minutes(2));
    expect(runOn(1)).toBe(3);
    engine.give(5, signer.order({ number: 5, kind: 'undo', version: 0, ...all }), gateways);
    await pass(minutes(2));
    expect(runOn(null)).toBe(3);
    expect(gateways.map(({ settings }) => settings)).toEqual([{}, {}, {}]);
  });
});
