/** What a gateway believes of its fleet's configuration, and what it refuses (F15). */
import { describe, expect, it, onTestFinished } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Order } from '../../src/config/pushed/order.ts';
import type { Kept } from '../../src/config/pushed/kept.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import type { GatewayOptions } from './follower.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { startGateway } from './follower.ts';
import { createSigner, EngineInMemory, fleetId } from '../support/fleet/signed-fleet.ts';

const files = {
  'base.yaml': 'log: { level: warn }\n',
  'sites/vienna.yaml': 'kiosk: { currency: EUR }\n',
  'gateways/gateway-a.yaml': 'site: vienna\nbalance: { onError: deny }\n',
  'gateways/gateway-b.yaml': 'balance: { onError: allow }\n',
};

function play(options: Partial<GatewayOptions> = {}) {
  const clock = createSteeredClock();
  const engine = new EngineInMemory(clock);
  const signer = createSigner();
  const gateway = startGateway({ engine, clock, signers: [signer], onlyFollows: true, ...options });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const give = async (order: Partial<Order>) => {
    const whole = { number: 1, steps: [100], ...order };
    engine.give(whole.number, signer.order(whole), [gateway]);
    await clock.advance(seconds(31));
  };
  const refusal = () => gateway.follower.standing().refused?.why;
  return { clock, engine, signer, gateway, give, refusal };
}

describe('F15: a gateway', () => {
  it('takes its own parts alone, the stronger before the weaker, and keeps them', async () => {
    const { engine, signer, gateway, give } = play();
    engine.push(signer.version(1, files), 1);
    await give({ version: 1 });
    expect(gateway.settings).toEqual({
      log: { level: 'warn' },
      kiosk: { currency: 'EUR' },
      balance: { onError: 'deny' },
    });
    expect(gateway.follower.standing()).toEqual({ version: 1, wanted: null, refused: null, follows: true });
    expect(Object.keys(gateway.kept.accepted?.parts ?? {})).toHaveLength(3);
    expect(gateway.kept.highest).toEqual({ [fleetId]: { version: 1, order: 1, to: 1 } });
    expect(gateway.log.records('config version taken')).toMatchObject([{ version: 1, rollout: 1 }]);
  });

  it('refuses an order, a version and a part that was changed after it was signed, and a signer it does not know', async () => {
    const { engine, signer, gateway, clock, give, refusal } = play();
    const { signed, parts } = signer.version(1, files);
    const order = signer.order({ version: 1, steps: [100] });

    engine.push({ signed, parts }, 1);
    engine.give(1, { ...order, body: order.body.replace('"version":1', '"version":2') }, [gateway]);
    await clock.advance(seconds(31));
    expect(refusal()).toMatch(/changed after it was signed/);

    engine.push({ signed: { ...signed, body: signed.body.replace('gateway-b', 'gateway-c') }, parts }, 1);
    await give({ number: 2, version: 1 });
    expect(refusal()).toMatch(/changed after it was signed/);

    const changed = Object.entries(parts).map(([hash, text]) => [hash, text.replace('deny', 'allow')]);
    engine.push({ signed, parts: Object.fromEntries(changed) }, 1);
    await give({ number: 3, version: 1 });
    expect(refusal()).toBe('the part gateways/gateway-a.yaml was changed after it was signed');

    engine.push({ signed: createSigner().version(1, files).signed, parts }, 1);
    await give({ number: 4, version: 1 });
    expect(refusal()).toMatch(/^it is signed by SHA256:\S+, and this key is not in fleet\.signers$/);
    expect(gateway.reloads).toBe(0);
    expect(gateway.kept.accepted).toBeNull();
    expect(gateway.conditions.list()).toMatchObject([{ code: 'fleet-config-refused', severity: 'error' }]);
    expect(gateway.log.records('config version refused')).toHaveLength(4);

    engine.push({ signed, parts }, 1);
    await give({ number: 5, version: 1 });
    expect(gateway.conditions.list()).toEqual([]);
    expect(gateway.follower.standing()).toEqual({ version: 1, wanted: null, refused: null, follows: true });
  });

  it('refuses an older order that is given once more, an older version that is given out as a newer one, and those of another fleet', async () => {
    const { engine, signer, gateway, give, refusal } = play();
    engine.push(signer.version(1, files), 1);
    engine.push(signer.version(2, { 'base.yaml': 'log: { level: error }\n' }), 2);
    await give({ number: 1, version: 1 });
    await give({ number: 7, version: 2 });
    await give({ number: 6, version: 1, kind: 'undo' });
    expect(refusal()).toBe('order 6 was given before order 7, which this gateway has followed');

    engine.push(signer.version(1, files), 3);
    await give({ number: 8, version: 3 });
    expect(refusal()).toBe('the engine gives version 1 instead of version 3');

    const elsewhere = '00000000-1111-4222-8333-944445555666';
    await give({ number: 9, version: 2, fleet: elsewhere });
    expect(refusal()).toContain(`signed for the fleet ${elsewhere}`);
    engine.push(signer.version(4, files, elsewhere), 4);
    await give({ number: 10, version: 4 });
    expect(refusal()).toContain(`signed for the fleet ${elsewhere}`);
    expect(gateway.settings).toEqual({ log: { level: 'error' } });
    expect(gateway.follower.standing().version).toBe(2);
  });

  it('refuses a second order of one number, which was taken away before it was followed, and kept', async () => {
    const { engine, signer, gateway, give, refusal } = play();
    engine.push(signer.version(1, files), 1);
    engine.push(signer.version(2, { 'base.yaml': 'log: { level: error }\n' }), 2);
    await give({ number: 1, version: 1 });
    await give({ number: 2, version: 2 });
    await give({ number: 2, version: 1, kind: 'undo' });
    expect(refusal()).toBe(
      'there are two orders 2: this one leads to version 1, and the one that this gateway has followed to version 2',
    );
    await give({ number: 2, version: 2, steps: [1, 100] });
    expect(gateway.follower.standing()).toMatchObject({ version: 2, wanted: null, refused: null });
    await give({ number: 3, version: 1, kind: 'undo' });
    expect(gateway.follower.standing().version).toBe(1);
  });

  it('refuses a signed part that sets what belongs in its own file', async () => {
    const { engine, signer, gateway, give, refusal } = play();
    const made = signer.version(1, { 'base.yaml': 'log: { level: warn }\n' });
    const [[, text] = []] = Object.entries(made.parts);
    expect(text).toBe('{"log":{"level":"warn"}}');
    const { canonical, hashOf } = await import('../../src/config/pushed/manifest.ts');
    const { madeOf } = await import('../../src/config/pushed/directory-check.ts');
    const stateDir = canonical({ stateDir: '/tmp' });
    const { manifest } = madeOf(
      { base: { stateDir: '/tmp' }, sites: new Map(), gateways: new Map(), all: [] },
      { fleet: fleetId, version: 1, madeAt: '' },
    );
    engine.push(
      { signed: signer.sign('configuration', canonical(manifest)), parts: { [hashOf(stateDir)]: stateDir } },
      1,
    );
    await give({ version: 1 });
    expect(refusal()).toBe("the part base.yaml sets stateDir: it may stand only in each gateway's own file");
    expect(gateway.reloads).toBe(0);
  });

  it('says what it was told to run on while it does not', async () => {
    const { engine, signer, gateway, give } = play({
      mistakesOf: (settings) => (settings['log'] ? ['a mistake', 'another one'] : []),
    });
    engine.push(signer.version(1, files), 1);
    await give({ version: 1 });
    expect(gateway.follower.standing()).toEqual({
      version: null,
      wanted: 1,
      follows: true,
      refused: { version: 1, why: 'a mistake, and 1 more' },
    });
    // The version that was tried, and what is in force.
    expect(gateway.reloads).toBe(2);
    gateway.follower.again();
    await give({ number: 1, version: 1 });
    expect(gateway.reloads).toBe(4);
  });

  it('runs on what it says it runs on, also when it cannot keep what it has taken', async () => {
    let isFull = false;
    const { engine, signer, gateway, give, refusal } = play({
      beforeKeeping() {
        if (isFull) throw new Problem('store-refused', 'the disk is full');
      },
    });
    engine.push(signer.version(1, { 'base.yaml': 'log: { level: warn }\n' }), 1);
    engine.push(signer.version(2, { 'base.yaml': 'log: { level: error }\n' }), 2);
    await give({ version: 1 });
    isFull = true;
    await give({ number: 2, version: 2 });
    expect(refusal()).toBe('it cannot be kept: the disk is full');
    expect(gateway.follower.standing()).toMatchObject({ version: 1, wanted: 2 });
    expect(gateway.settings).toEqual({ log: { level: 'warn' } });

    isFull = false;
    await give({ number: 3, version: 1, kind: 'undo' });
    expect(gateway.follower.standing()).toMatchObject({ version: 1, wanted: null, refused: null });
    expect(gateway.settings).toEqual({ log: { level: 'warn' } });
  });

  it('takes a version whose number it has had, of an engine that was restored and pushed to anew', async () => {
    const { engine, signer, gateway, give } = play();
    engine.push(signer.version(1, files), 1);
    await give({ number: 1, version: 1 });
    engine.push(signer.version(1, { 'base.yaml': 'log: { level: error }\n' }), 1);
    await give({ number: 2, version: 1 });
    expect(gateway.settings).toEqual({ log: { level: 'error' } });
    const { reloads } = gateway;
    await give({ number: 3, version: 1 });
    expect(gateway.reloads).toBe(reloads);
  });

  it('knows after a restart what it has had', async () => {
    const kept: Kept = { accepted: null, highest: { [fleetId]: { version: 5, order: 9 } } };
    const { engine, signer, gateway, give, refusal } = play({ kept });
    engine.push(signer.version(4, files), 4);
    await give({ number: 10, version: 4 });
    expect(refusal()).toBe('version 4 is older than version 5, which this gateway has had');
    expect(gateway.reloads).toBe(0);
  });

  it('lets its own file be read anew where what it keeps is not believed any more, and no other way once it has taken a version', async () => {
    const found = { version: 3, shadowed: [], refused: 'it is signed by somebody' };
    const { engine, signer, gateway, give } = play({ found });
    expect(gateway.choice.mustFit).toBe(false);
    // Its signer is named again, and the agent has read it so.
    gateway.choice.found = { version: 3, shadowed: [] };
    gateway.follower.again();
    expect(gateway.follower.standing().version).toBe(3);
    engine.push(signer.version(4, files), 4);
    await give({ version: 4 });
    expect(gateway.choice.mustFit).toBe(true);
    await give({ number: 2, version: 0, kind: 'undo' });
    expect(gateway.choice.mustFit).toBe(false);
  });

  it('goes back to what it started on last where it could not start on a version, and takes that one no more', async () => {
    const unfit = { version: 2, why: 'the agent could not start with it: an address is taken' };
    const made = createSigner();
    const [first, second] = [
      made.version(1, files),
      made.version(2, { 'base.yaml': 'log: { level: error }\n' }),
    ];
    const accepted = { manifest: second.signed, parts: second.parts };
    const { engine, gateway, clock, refusal } = play({
      signers: [made],
      kept: { accepted, unfit: unfit.why, highest: {} },
      found: { version: 1, shadowed: [], unfit },
    });
    const give = async (order: Partial<Order>) => {
      engine.give(order.number ?? 1, made.order({ steps: [100], ...order }), [gateway]);
      await clock.advance(seconds(31));
    };
    engine.push(first, 1);
    engine.push(second, 2);
    expect(gateway.follower.standing()).toMatchObject({ version: 1, wanted: null, refused: unfit });
    expect(gateway.conditions.list()).toMatchObject([
      { code: 'fleet-config-refused', detail: `version 1 is in force: version 2 was refused: ${unfit.why}` },
    ]);
    await give({ number: 2, version: 2 });
    expect(refusal()).toBe(unfit.why);
    expect(gateway.reloads).toBe(0);
    await give({ number: 3, version: 1, kind: 'undo' });
    expect(gateway.conditions.list()).toEqual([]);
    expect(gateway.kept).not.toHaveProperty('unfit');

    // Somebody has corrected what stood in its way, and said so.
    gateway.follower.again();
    await give({ number: 4, version: 2 });
    expect(gateway.follower.standing().version).toBe(2);
  });

  it('keeps what it has started on beside what it takes next', async () => {
    let isFull = true;
    const made = createSigner();
    const { signed, parts } = made.version(1, files);
    const accepted = { manifest: signed, parts };
    const { engine, gateway, clock } = play({
      signers: [made],
      kept: { accepted, highest: {} },
      found: { version: 1, shadowed: [], isNew: true },
      beforeKeeping() {
        if (isFull) throw new Problem('store-refused', 'the disk is full');
      },
    });
    await clock.advance(seconds(1));
    expect(gateway.kept).not.toHaveProperty('started');
    isFull = false;
    await clock.advance(seconds(10));
    expect(gateway.kept).toEqual({ accepted, started: accepted, highest: {} });
    engine.push(made.version(2, { 'base.yaml': 'log: { level: error }\n' }), 2);
    engine.give(1, made.order({ number: 1, version: 2, steps: [100] }), [gateway]);
    await clock.advance(seconds(31));
    expect(gateway.kept).toMatchObject({ started: accepted, highest: { [fleetId]: { version: 2 } } });
    expect(gateway.kept.accepted).not.toEqual(accepted);
  });

  it('is not in the sample when it came after the order, until the roll-out has finished', async () => {
    const { engine, signer, gateway, clock } = play();
    engine.push(signer.version(1, files), 1);
    engine.give(1, signer.order({ version: 1, steps: [100] }), []);
    await clock.advance(seconds(60));
    expect(gateway.reloads).toBe(0);
    if (engine.rollout) engine.rollout = { ...engine.rollout, state: 'finished', revision: 2 };
    await clock.advance(seconds(60));
    expect(gateway.follower.standing().version).toBe(1);
  });
});
