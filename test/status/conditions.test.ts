import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Condition } from '../../src/domain/condition.ts';
import { createConditions } from '../../src/status/conditions.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const readerDown: Condition = {
  code: 'reader-unavailable',
  severity: 'warning',
  scope: 'lobby',
  subject: 'front',
  detail: 'No such file or directory, cannot open /dev/ttyUSB0',
};
const printerDown: Condition = {
  code: 'printer-unreachable',
  severity: 'error',
  scope: 'lobby',
  subject: 'printer',
  detail: 'no answer from 10.0.0.7',
};
const cloudDown: Condition = {
  code: 'cloud-unreachable',
  severity: 'warning',
  scope: 'agent',
  subject: 'cloud',
  detail: 'connection refused',
};

function setUp() {
  const clock = createSteeredClock();
  const recorded = recordLog();
  const conditions = createConditions({ clock, log: recorded.log });
  const heard: string[] = [];
  const unhook = conditions.onChange((scope) => heard.push(scope));
  return { clock, recorded, conditions, heard, unhook };
}

describe('the conditions', () => {
  it('are none at the start', () => {
    const { conditions, clock } = setUp();
    expect(conditions.list()).toEqual([]);
    expect(conditions.changedAt('lobby')).toBe(clock.now());
  });

  it('hold what was raised until it is cleared, and log both once', () => {
    const { conditions, recorded } = setUp();
    conditions.raise(readerDown);
    conditions.raise({ ...readerDown });
    expect(conditions.list()).toEqual([readerDown]);
    conditions.clear('lobby', 'front');
    conditions.clear('lobby', 'front');
    expect(conditions.list()).toEqual([]);
    const { code, scope, subject, detail } = readerDown;
    expect(recorded.records('condition raised')).toMatchObject([
      { level: 'warn', code, scope, subject, detail },
    ]);
    expect(recorded.records('condition cleared')).toMatchObject([
      { level: 'info', code, scope, subject, detail },
    ]);
  });

  it('hold one condition for each subject: the newer replaces the older', () => {
    const { conditions, heard } = setUp();
    conditions.raise(printerDown);
    conditions.raise({ ...printerDown, code: 'printer-not-ready', detail: 'media-empty' });
    expect(conditions.list().map(({ code }) => code)).toEqual(['printer-not-ready']);
    expect(heard).toEqual(['lobby', 'lobby']);
  });

  it('tell a new detail or severity of the same code as a change', () => {
    const { conditions, heard } = setUp();
    conditions.raise(readerDown);
    conditions.raise({ ...readerDown, detail: 'Permission denied' });
    conditions.raise({ ...readerDown, detail: 'Permission denied', severity: 'error' });
    expect(heard).toHaveLength(3);
  });

  it("show a terminal its own and the agent's, errors first", () => {
    const { conditions } = setUp();
    conditions.raise(readerDown);
    conditions.raise({ ...readerDown, scope: 'attic' });
    conditions.raise(cloudDown);
    conditions.raise(printerDown);
    expect(conditions.list('lobby')).toEqual([printerDown, readerDown, cloudDown]);
    expect(conditions.list()).toHaveLength(4);
  });

  it('remember when those of a terminal changed last', async () => {
    const { conditions, clock } = setUp();
    const start = clock.now();
    await clock.advance(seconds(10));
    conditions.raise(readerDown);
    conditions.raise({ ...readerDown });
    await clock.advance(seconds(10));
    conditions.raise({ ...readerDown });
    expect(conditions.changedAt('lobby')).toBe(start + 10_000);
    expect(conditions.changedAt('attic')).toBe(start);
    conditions.raise(cloudDown);
    expect(conditions.changedAt('attic')).toBe(start + 20_000);
  });

  it('tell since when each stands: a new detail is the same trouble, a new code another', async () => {
    const { conditions, clock } = setUp();
    const at = () => new Date(clock.now()).toISOString();
    const start = at();
    conditions.raise(printerDown);
    await clock.advance(seconds(10));
    conditions.raise({ ...printerDown, detail: 'refused by 10.0.0.7' });
    expect(conditions.timed()).toMatchObject([{ detail: 'refused by 10.0.0.7', since: start }]);
    conditions.raise({ ...printerDown, code: 'printer-not-ready' });
    expect(conditions.timed()).toMatchObject([{ since: at() }]);
    await clock.advance(seconds(10));
    conditions.clear('lobby', 'printer');
    conditions.raise(printerDown);
    expect(conditions.timed()).toMatchObject([{ since: at() }]);
  });

  it('call nobody back who has gone', () => {
    const { conditions, heard, unhook } = setUp();
    unhook();
    conditions.raise(readerDown);
    expect(heard).toEqual([]);
  });

  it('of a terminal that is no more are forgotten, and those of others stay', () => {
    const { conditions, recorded } = setUp();
    for (const condition of [readerDown, printerDown, cloudDown]) conditions.raise(condition);
    conditions.raise({ ...readerDown, scope: 'annex' });
    conditions.forget('lobby');
    expect(conditions.list().map(({ scope }) => scope)).toEqual(['agent', 'annex']);
    expect(recorded.records('condition cleared')).toHaveLength(2);
  });
});
