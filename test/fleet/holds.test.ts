/** How long a member serves what it holds, by its own clock, and what follows for its terminals (F11). */
import { expect, it, onTestFinished } from 'vitest';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import type { HoldStanding } from '../../src/domain/ports/holds.ts';
import { createFleetHolds } from '../../src/fleet/holds.ts';
import { createConditions } from '../../src/status/conditions.ts';
import { recordLog } from '../support/recorded-log.ts';
import type { SteeredClock } from '../support/steered-clock.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { scriptedTable } from './scripted-table.ts';

const group = 'ipp://10.0.0.7';
const lobby = { terminal: 'lobby', serialNumber: 'SN-0001', group };
const givenUp = `give up ${group} terminal SN0001`;

function member({ early = 0 } = {}) {
  const { table, script, asked, notify } = scriptedTable();
  const steered = createSteeredClock();
  const clock: SteeredClock = {
    ...steered,
    setTimeout: (action, delay) => steered.setTimeout(action, delay > early ? delay - early : delay),
  };
  const { log, records } = recordLog();
  const conditions = createConditions({ clock, log });
  const reported: HoldStanding['is'][] = [];
  const now = { isAlone: false, isIdle: true, closing: Promise.resolve() };
  const holds = createFleetHolds({
    table,
    site: 'main',
    isAlone: () => now.isAlone,
    conditions,
    clock,
    log,
    user: {
      isIdle: () => now.isIdle,
      async changed() {
        reported.push(holds.standing('lobby').is);
        await now.closing;
      },
    },
  });
  holds.serve([lobby]);
  const stop = new AbortController();
  const running = holds.services.map((service) => service.run(stop.signal));
  onTestFinished(async () => {
    stop.abort();
    await clock.advance(seconds(5));
    await Promise.all(running);
  });
  const is = () => holds.standing('lobby').is;
  return { holds, script, asked, notify, clock, records, conditions, reported, now, is };
}

it('F11: a terminal nobody holds is taken at the first beat, and its user hears of it', async () => {
  const { holds, script, clock, reported, records } = member();
  script.seen = [{ state: 'free', epoch: 3 }];
  expect(holds.standing('lobby')).toEqual({ is: 'elsewhere' });
  await clock.advance(milliseconds(10));
  expect(holds.standing('lobby')).toEqual({ is: 'held', epoch: 4 });
  expect(reported.at(-1)).toBe('held');
  expect(records('terminal taken over')).toMatchObject([{ terminal: 'lobby', epoch: 4, was: 'free' }]);
});

it('F12: that the engine is away is said when it was asked, and has not answered for a moment', async () => {
  const { script, clock, is, reported } = member();
  script.isAway = true;
  await clock.advance(seconds(5.5));
  expect(reported).toEqual(['elsewhere']);
  await clock.advance(seconds(2));
  expect([is(), reported]).toEqual(['engine-away', ['elsewhere', 'engine-away']]);
});

it('F11: who wakes up after its time says nothing of the engine, and has it all back at its next beat', async () => {
  const { script, clock, is, reported } = member();
  script.seen = [{ state: 'own' }];
  await clock.advance(milliseconds(10));
  clock.spend(seconds(60));
  expect(is()).toBe('elsewhere');
  await clock.advance(seconds(1));
  expect(is()).toBe('held');
  expect(reported).not.toContain('engine-away');
});

it('F11: who was faster has it', async () => {
  const { script, clock, is } = member();
  script.seen = [{ state: 'free' }];
  script.isTaken = true;
  await clock.advance(milliseconds(10));
  expect(is()).toBe('elsewhere');
});

it('F11: the four seconds of a hold count from before the engine was asked', async () => {
  const { script, clock, is, reported } = member();
  script.seen = [{ state: 'own' }];
  await clock.advance(milliseconds(1));
  // The answer to the second beat takes a second and a half, and is the last.
  script.onTheWay = async () => clock.spend(seconds(1.5));
  await clock.advance(seconds(1));
  script.onTheWay = async () => {};
  script.isAway = true;
  await clock.advance(seconds(2.3));
  expect(is()).toBe('held');
  await clock.advance(seconds(0.2));
  expect(is()).toBe('engine-away');
  expect(reported.at(-1)).toBe('engine-away');
});

it('F11: a timer that comes a moment early leaves nobody serving for ever', async () => {
  const { script, clock, reported } = member({ early: 0.6 });
  script.seen = [{ state: 'own' }];
  await clock.advance(milliseconds(10));
  script.isAway = true;
  await clock.advance(seconds(4));
  expect(reported).toEqual(['elsewhere', 'held', 'engine-away']);
});

it('F11: an engine that is away for less than that costs nobody anything', async () => {
  const { script, clock, reported } = member();
  script.seen = [{ state: 'own' }];
  await clock.advance(milliseconds(10));
  script.isAway = true;
  await clock.advance(seconds(2));
  script.isAway = false;
  await clock.advance(seconds(60));
  expect(reported).toEqual(['elsewhere', 'held']);
});

it('F12: what no other member is set up for is served on while the engine is away', async () => {
  const { script, clock, is } = member();
  script.seen = [{ state: 'own', isShared: false }];
  await clock.advance(milliseconds(10));
  script.isAway = true;
  await clock.advance(seconds(600));
  expect(is()).toBe('held');
});

it('F12: who is alone in the fleet serves its terminals from the start, whether the engine answers or not', async () => {
  const { holds, script, clock, now, is } = member();
  now.isAlone = true;
  script.isAway = true;
  await clock.advance(seconds(600));
  expect(holds.standing('lobby')).toEqual({ is: 'held', epoch: 0 });
  script.isAway = false;
  script.seen = [{ state: 'held', holder: 'gateway-b' }];
  await clock.advance(seconds(1));
  expect(is()).toBe('elsewhere');
});

it('F11: whose own time was over believes only what it asks once more', async () => {
  const { script, asked, clock, is } = member();
  script.seen = [{ state: 'own' }];
  script.more = { hadLapsed: true };
  script.onTheWay = async () => {
    // Between the two questions another member has taken it.
    if (asked.length === 2) script.seen = [{ state: 'held', holder: 'gateway-b', isPreferred: false }];
  };
  await clock.advance(milliseconds(10));
  expect(asked).toEqual(['beat 2', 'beat 2', 'compare']);
  expect(is()).toBe('elsewhere');
});

it('F11: it is given back when nobody is there, and not before its readers are closed', async () => {
  const { script, asked, clock, now, is, records } = member();
  script.seen = [{ state: 'own', isPreferred: false, preferred: 'gateway-b' }];
  now.isIdle = false;
  await clock.advance(seconds(30));
  expect(is()).toBe('held');

  const closing = Promise.withResolvers<void>();
  now.closing = closing.promise;
  now.isIdle = true;
  await clock.advance(seconds(1));
  expect(is()).toBe('elsewhere');
  expect(asked).not.toContain(givenUp);
  closing.resolve();
  await clock.advance(milliseconds(10));
  expect(asked).toContain(givenUp);
  expect(records('terminal handed over')).toMatchObject([
    { terminal: 'lobby', why: 'preferred', to: 'gateway-b' },
  ]);
});

it('F11: what another member gives up is looked at at once', async () => {
  const { script, asked, clock, notify, is } = member();
  script.seen = [{ state: 'held', holder: 'gateway-b' }];
  await clock.advance(milliseconds(10));
  expect(asked).toEqual(['beat 2', 'compare']);
  script.seen = [{ state: 'free' }];
  notify();
  await clock.advance(milliseconds(1));
  expect(is()).toBe('held');
});

it('F11: who leaves in order gives everything up, and takes nothing any more', async () => {
  const { holds, script, asked, clock, records } = member();
  script.seen = [{ state: 'own' }];
  await clock.advance(milliseconds(10));
  await holds.leave();
  expect(asked.at(-1)).toBe('leave');
  expect(records('terminal handed over')).toMatchObject([{ terminal: 'lobby', why: 'stopped' }]);
  script.seen = [{ state: 'free' }];
  await clock.advance(seconds(10));
  expect(asked.at(-1)).toBe('leave');
});

it('F11: what the configuration no longer names is given up', async () => {
  const { holds, script, asked, clock } = member();
  script.seen = [{ state: 'own' }];
  await clock.advance(milliseconds(10));
  holds.serve([]);
  script.seen = [];
  await clock.advance(milliseconds(10));
  expect(asked).toContain(givenUp);
});

it('F10: the preferred member of a terminal that another serves tells who, until it has it', async () => {
  const { script, clock, conditions } = member();
  script.seen = [{ state: 'held', holder: 'gateway-b', isPreferred: true }];
  await clock.advance(milliseconds(10));
  expect(conditions.list('lobby')).toMatchObject([{ code: 'fleet-terminal-elsewhere', scope: 'lobby' }]);
  script.seen = [{ state: 'held', holder: 'gateway-b', isPreferred: false }];
  await clock.advance(seconds(1));
  expect(conditions.list('lobby')).toEqual([]);
});

it('a name that another member has too is told while both beat, and neither stops', async () => {
  const { script, clock, conditions, is } = member();
  script.seen = [{ state: 'own' }];
  script.namesakes = ['annex'];
  const reported = () => conditions.list('agent').filter(({ code }) => code === 'fleet-name-twice');
  await clock.advance(seconds(5));
  // Until now it may have been the last beat of a gateway that was set up anew.
  expect(reported()).toEqual([]);
  await clock.advance(seconds(2));
  expect(reported()).toMatchObject([
    { severity: 'warning', detail: 'another gateway, at the site annex, has the name of this gateway' },
  ]);
  expect(is()).toBe('held');
  script.namesakes = [];
  await clock.advance(seconds(1));
  expect(reported()).toEqual([]);
});

it('F11: the printer without the terminal serves nobody: another gateway holds that, and looks for the printer elsewhere', async () => {
  const { holds, script, clock, conditions } = member();
  script.seen = [{ state: 'own' }];
  script.terminal = { state: 'held', holder: 'gateway-b' };
  script.differing = [{ terminal: 'lobby', other: 'gateway-b' }];
  await clock.advance(milliseconds(10));
  expect(holds.standing('lobby')).toEqual({ is: 'elsewhere', by: 'gateway-b' });
  expect(conditions.list('lobby')).toMatchObject([
    {
      code: 'fleet-terminal-differs',
      severity: 'warning',
      detail: 'gateway-b has another printer for the serial number SN-0001',
    },
  ]);
  script.isAway = true;
  await clock.advance(seconds(60));
  expect(holds.standing('lobby')).toEqual({ is: 'engine-away' });
});

it('F12: a terminal that another looks for elsewhere is not served on while the engine is away', async () => {
  const { script, clock, is } = member();
  script.seen = [{ state: 'own', isShared: false }];
  script.terminal = { state: 'own', isShared: true };
  await clock.advance(milliseconds(10));
  expect(is()).toBe('held');
  script.isAway = true;
  await clock.advance(seconds(60));
  expect(is()).toBe('engine-away');
});

it('F11: the terminal without the printer is given up, for whoever has that', async () => {
  const { script, asked, clock, is } = member();
  script.seen = [{ state: 'held', holder: 'gateway-b', isPreferred: false }];
  script.terminal = { state: 'own' };
  await clock.advance(milliseconds(10));
  expect(is()).toBe('elsewhere');
  expect(asked).toContain('give up terminal SN0001');
});

it('settings that differ are told until they agree', async () => {
  const { script, clock, conditions, is } = member();
  script.seen = [{ state: 'own' }];
  await clock.advance(seconds(2));
  script.differing = [{ terminal: 'lobby', other: 'gateway-b' }];
  await clock.advance(seconds(5));
  expect([is(), conditions.list('lobby').length]).toEqual(['held', 1]);
  script.differing = [];
  await clock.advance(seconds(5));
  expect(conditions.list('lobby')).toEqual([]);
});
