/** Who is told, when: rest periods, groups, limits, repeats, restarts, receivers that are away. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { hook, secret, setNotifyStage } from './notify-stage.ts';

const inBrief = ({ messages }: ReturnType<typeof setNotifyStage>) =>
  messages().map(({ at, payload: { data } }) => ({
    at,
    ...(data.came.length === 0 ? {} : { came: data.came.map(({ scope, code }) => `${scope} ${code}`) }),
    ...(data.lasting.length === 0 ? {} : { lasting: data.lasting.map(({ scope }) => scope) }),
    ...(data.went.length === 0 ? {} : { went: data.went.map(({ scope }) => scope) }),
    ...(data.heldBack === 0 ? {} : { heldBack: data.heldBack }),
  }));

describe('what is told', () => {
  it('an error after 10 s, a warning after 60 s, each with its group, and that they are gone', async () => {
    await using stage = setNotifyStage();
    stage.start();
    stage.raise();
    stage.raise({ scope: 'attic', code: 'printer-not-ready', severity: 'warning' });
    await stage.clock.advance(minutes(3));
    stage.clear();
    await stage.clock.advance(minutes(1));
    expect(inBrief(stage)).toEqual([
      { at: 40, came: ['lobby printer-unreachable'] },
      { at: 90, came: ['attic printer-not-ready'] },
      { at: 220, went: ['lobby'] },
    ]);
    const [first, , last] = stage.messages();
    expect(first?.payload).toMatchObject({
      type: 'platen.conditions',
      data: {
        gateway: 'gateway-1',
        version: '1.2.3',
        lasting: [],
        went: [],
        heldBack: 0,
        more: 0,
        came: [{ severity: 'error', subject: 'printer', since: '2026-11-21T12:00:00.000Z' }],
        meanings: { 'printer-unreachable': { advice: expect.stringContaining('printer') } },
      },
    });
    expect(last?.payload.data.went).toMatchObject([
      { since: '2026-11-21T12:00:00.000Z', until: '2026-11-21T12:03:00.000Z' },
    ]);
  });

  it('nothing of what flaps faster than its rest period, either way', async () => {
    await using stage = setNotifyStage();
    stage.start();
    for (let flap = 0; flap < 100; flap += 1) {
      stage.raise();
      await stage.clock.advance(seconds(8));
      stage.clear();
      await stage.clock.advance(seconds(8));
    }
    expect(stage.messages()).toEqual([]);
    stage.raise();
    await stage.clock.advance(minutes(1));
    for (let flap = 0; flap < 100; flap += 1) {
      stage.clear();
      await stage.clock.advance(seconds(8));
      stage.raise();
      await stage.clock.advance(seconds(8));
    }
    expect(inBrief(stage)).toHaveLength(1);
  });

  it('a hundred and fifty printers that vanish at once are one message, which names a hundred', async () => {
    await using stage = setNotifyStage();
    stage.start();
    for (let count = 0; count < 150; count += 1) {
      stage.raise({ scope: `floor-${count}` });
      await stage.clock.advance(seconds(0.1));
    }
    await stage.clock.advance(minutes(10));
    const [message, ...others] = stage.messages();
    expect(others).toEqual([]);
    expect([message?.payload.data.came.length, message?.payload.data.more]).toEqual([100, 50]);
    expect(stage.letters[0]?.letter.body.length).toBeLessThan(20_000);
  });

  it('a warning that becomes an error is told again, and not the other way round', async () => {
    await using stage = setNotifyStage();
    stage.start();
    const cloud = { scope: 'agent', subject: 'cloud', code: 'cloud-unreachable' } as const;
    stage.raise({ ...cloud, severity: 'warning' });
    await stage.clock.advance(minutes(5));
    stage.raise({ ...cloud, severity: 'error' });
    await stage.clock.advance(minutes(5));
    stage.raise({ ...cloud, severity: 'warning' });
    await stage.clock.advance(minutes(5));
    expect(stage.messages().flatMap(({ payload }) => payload.data.came.map((one) => one.severity))).toEqual([
      'warning',
      'error',
    ]);
  });

  it('a warning that becomes an error before anybody was told rests no longer than an error', async () => {
    await using stage = setNotifyStage();
    stage.start();
    stage.raise({ severity: 'warning' });
    await stage.clock.advance(seconds(5));
    stage.raise({ severity: 'error' });
    await stage.clock.advance(minutes(1));
    expect(inBrief(stage)).toEqual([{ at: 40, came: ['lobby printer-unreachable'] }]);
  });

  it.each([
    [{ severity: 'error' }, ['lobby']],
    [{ terminals: ['attic', 'agent'] }, ['attic', 'agent']],
    [{ conditions: ['cloud-unreachable'] }, ['agent']],
  ])('only %o', async (only, reported) => {
    await using stage = setNotifyStage({ webhooks: [{ url: hook, secret }], only });
    stage.start();
    stage.raise();
    stage.raise({ scope: 'attic', code: 'printer-not-ready', severity: 'warning' });
    stage.raise({ scope: 'agent', subject: 'cloud', code: 'cloud-unreachable', severity: 'warning' });
    await stage.clock.advance(minutes(5));
    expect(stage.messages().flatMap(({ payload }) => payload.data.came.map(({ scope }) => scope))).toEqual(
      expect.arrayContaining(reported),
    );
    expect(stage.messages().flatMap(({ payload }) => payload.data.came)).toHaveLength(reported.length);
  });

  it('what lasts is told again once a day, all of it in one message', async () => {
    await using stage = setNotifyStage();
    stage.start();
    stage.raise();
    await stage.clock.advance(minutes(20));
    stage.raise({ scope: 'attic' });
    await stage.clock.advance(hours(49));
    expect(inBrief(stage).slice(2)).toEqual([
      { at: 86_470, lasting: ['lobby', 'attic'] },
      { at: expect.closeTo(172_900, -2), lasting: ['lobby', 'attic'] },
    ]);
  });

  it('never more than so many an hour; then one says how many were held back', async () => {
    await using stage = setNotifyStage({ webhooks: [{ url: hook, secret }], mostPerHour: 3 });
    stage.start();
    for (let turn = 0; turn < 20; turn += 1) {
      stage.raise({ scope: `t${turn}` });
      await stage.clock.advance(minutes(2));
    }
    await stage.clock.advance(hours(1));
    const sent = inBrief(stage);
    expect(sent.map(({ at }) => at)).toEqual([40, 160, 280, 3640]);
    expect(sent.at(-1)).toMatchObject({ heldBack: 17 });
    expect(sent.at(-1)?.came).toHaveLength(17);
  });

  it('what came and went while messages were held back is counted too', async () => {
    await using stage = setNotifyStage({ webhooks: [{ url: hook, secret }], mostPerHour: 1 });
    stage.start();
    stage.raise();
    await stage.clock.advance(minutes(2));
    stage.raise({ scope: 'attic' });
    await stage.clock.advance(minutes(2));
    stage.clear('attic');
    await stage.clock.advance(hours(1));
    expect(inBrief(stage)).toEqual([
      { at: 40, came: ['lobby printer-unreachable'] },
      { at: 3640, heldBack: 1 },
    ]);
  });
});

describe('over a restart', () => {
  it('nothing that was told is told again, and what went meanwhile is told once it is known', async () => {
    await using stage = setNotifyStage();
    stage.start();
    stage.raise();
    stage.raise({ scope: 'attic' });
    await stage.clock.advance(minutes(2));
    expect(stage.messages()).toHaveLength(1);
    await stage.end();

    stage.conditions.forget('lobby');
    stage.conditions.forget('attic');
    stage.start();
    // The first look at a printer that is off takes its time.
    await stage.clock.advance(seconds(50));
    stage.raise();
    await stage.clock.advance(minutes(10));
    expect(inBrief(stage).slice(1)).toEqual([{ at: 330, went: ['attic'] }]);
  });

  it('what a newer version told, and this one does not know, is forgotten alone: somebody went back', async () => {
    await using stage = setNotifyStage();
    stage.start();
    stage.raise();
    await stage.clock.advance(minutes(2));
    await stage.end();
    const file = join(stage.stateDir, 'told.json');
    const kept = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly object[]>);
    const newer = kept.map(([way, reported]) => [
      way,
      [...reported, { ...reported[0], code: 'printer-on-fire' }],
    ]);
    writeFileSync(file, JSON.stringify(Object.fromEntries(newer)));
    stage.start();
    await stage.clock.advance(minutes(10));
    expect(stage.messages()).toHaveLength(1);
  });

  it('what is not selected any longer is not called over, and comes back as news', async () => {
    await using stage = setNotifyStage();
    stage.start();
    stage.raise();
    await stage.clock.advance(minutes(2));
    await stage.end();
    stage.start({ webhooks: [{ url: hook, secret }], only: { terminals: ['attic'] } });
    await stage.clock.advance(minutes(10));
    expect(stage.messages()).toHaveLength(1);
  });

  it('a receiver that is new hears of all that stands, the others of nothing', async () => {
    await using stage = setNotifyStage();
    stage.start();
    stage.raise();
    await stage.clock.advance(minutes(2));
    await stage.end();
    stage.start({
      webhooks: [
        { url: hook, secret },
        { url: 'https://another.example/', secret },
      ],
    });
    await stage.clock.advance(minutes(10));
    expect(stage.letters.map(({ letter }) => letter.url.host)).toEqual(['hooks.example', 'another.example']);
  });
});

describe('a receiver that is away', () => {
  const two = {
    webhooks: [
      { url: hook, secret },
      { url: 'https://another.example/', secret },
    ],
  };

  it('is a condition that the others are told of, holds up nobody, and is told all at once when it is back', async () => {
    await using stage = setNotifyStage(two);
    stage.refusals.set(
      'hooks.example',
      new Problem('cloud-unreachable', 'POST hooks.example: no connection'),
    );
    stage.start();
    stage.raise();
    await stage.clock.advance(minutes(5));
    expect(stage.conditions.list('agent')).toMatchObject([
      { code: 'notify-unreachable', severity: 'warning', subject: 'notify webhook hooks.example' },
    ]);
    expect(inBrief(stage).map(({ came }) => came)).toEqual([
      ['lobby printer-unreachable'],
      ['agent notify-unreachable'],
    ]);
    stage.clear();
    stage.raise({ scope: 'attic' });
    await stage.clock.advance(minutes(20));
    const before = stage.letters.length;
    stage.refusals.clear();
    await stage.clock.advance(minutes(20));
    const [back] = stage.messages().slice(before);
    expect(back?.payload.data.came.map(({ scope }) => scope)).toEqual(['attic']);
    expect(stage.conditions.list('agent')).toEqual([]);
    expect(stage.recorded.text()).not.toContain('as-good-as-a-password');
  });

  it('is tried again ever more rarely, as it asks, with the same message under the same id', async () => {
    await using stage = setNotifyStage();
    const busy = new Problem('cloud-busy', 'POST hooks.example: status 503', { retryAfter: minutes(7) });
    stage.refusals.set('hooks.example', new Problem('cloud-unreachable', 'no connection'));
    stage.start();
    stage.raise();
    await stage.clock.advance(seconds(40 + 5 + 10 + 20));
    stage.refusals.set('hooks.example', busy);
    await stage.clock.advance(seconds(40));
    await stage.clock.advance(minutes(7));
    expect(stage.letters.map(({ at }) => at / 1000)).toEqual([40, 45, 55, 75, 115, 535]);
    expect(new Set(stage.letters.map(({ letter }) => letter.headers['webhook-id'])).size).toBe(1);
    expect(new Set(stage.letters.map(({ letter }) => letter.headers['webhook-timestamp'])).size).toBe(6);
  });
});

describe('an Alertmanager', () => {
  const alertmanagers = [{ url: 'https://alerts.example/prefix', token: 'the-token' }];

  it('is sent each alert again every minute as long as it lasts, and its end for five minutes more', async () => {
    await using stage = setNotifyStage({ alertmanagers });
    stage.start();
    stage.raise();
    await stage.clock.advance(seconds(175));
    stage.clear();
    await stage.clock.advance(minutes(20));
    const rounds = stage.alerts();
    expect(rounds.map(({ at }) => at)).toEqual([10, 70, 130, 185, 245, 305, 365, 425]);
    expect(stage.letters[0]?.letter).toMatchObject({
      url: new URL('https://alerts.example/prefix/api/v2/alerts'),
      headers: { authorization: 'Bearer the-token' },
    });
    expect(rounds[0]?.alerts).toEqual([
      {
        labels: {
          alertname: 'PlatenPrinterUnreachable',
          code: 'printer-unreachable',
          severity: 'critical',
          gateway: 'gateway-1',
          terminal: 'lobby',
          subject: 'printer',
        },
        annotations: {
          summary: expect.stringContaining('lobby at gateway-1: '),
          description: expect.any(String),
        },
        startsAt: '2026-11-21T12:00:00.000Z',
        endsAt: '2026-11-21T12:04:10.000Z',
      },
    ]);
    expect(new Set(rounds.slice(3).flatMap(({ alerts }) => alerts.map(({ endsAt }) => endsAt)))).toEqual(
      new Set(['2026-11-21T12:02:55.000Z']),
    );
  });

  it('that was away is asked until it is back, and is no condition any longer then', async () => {
    await using stage = setNotifyStage({ alertmanagers });
    stage.refusals.set('alerts.example', new Problem('cloud-unreachable', 'no connection'));
    stage.start();
    stage.raise();
    await stage.clock.advance(minutes(2));
    expect(stage.conditions.list('agent').map(({ subject }) => subject)).toEqual([
      'notify alertmanager alerts.example',
    ]);
    stage.clear();
    await stage.clock.advance(minutes(30));
    stage.refusals.clear();
    await stage.clock.advance(minutes(15));
    expect(stage.conditions.list()).toEqual([]);
  });
});

describe('nobody is named', () => {
  const canaries = ['Quarterly report', 'Alice Archer', '04A1B2C3D4'];

  it('not even where the detail of a condition would', async () => {
    await using stage = setNotifyStage({
      webhooks: [{ url: hook, secret }],
      alertmanagers: [{ url: 'https://alerts.example/' }],
    });
    stage.start();
    stage.raise({ detail: `the printer says: ${canaries.join(', ')}` });
    await stage.clock.advance(minutes(2));
    stage.clear();
    await stage.clock.advance(minutes(2));
    const sent = stage.letters.map(({ letter }) =>
      JSON.stringify({ ...letter, body: letter.body.toString() }),
    );
    expect(sent.length).toBeGreaterThan(3);
    const kept = readFileSync(join(stage.stateDir, 'told.json'), 'utf8');
    expect(canaries.filter((canary) => [...sent, kept].join('\n').includes(canary))).toEqual([]);
  });
});
