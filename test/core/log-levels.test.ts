import { describe, expect, it } from 'vitest';
import { minutes } from '../../src/core/duration.ts';
import { createLog } from '../../src/core/log.ts';
import type { LogLevel } from '../../src/core/log-levels.ts';
import { createRecentLines } from '../../src/core/log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function startLog(level: LogLevel = 'info') {
  const clock = createSteeredClock();
  const lines: string[] = [];
  const log = createLog({ level, clock, destination: { write: (line) => lines.push(line) } });
  const told = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { clock, log, lines, told, messages: () => told().map(({ msg }) => msg) };
}

describe('the log level', () => {
  it('can be lowered for a limited time, tells when, and goes back by itself (T20)', async () => {
    const { clock, log, told, messages } = startLog();
    const child = log.with({ terminal: 'lobby' }).with({ reader: 'desk' });
    child.debug('before');
    log.levels.openWindow('debug', minutes(15));
    child.debug('while');
    await clock.advance(minutes(15));
    child.debug('after');
    expect(messages()).toEqual(['log level lowered', 'while', 'log level as configured']);
    expect(told()[0]).toMatchObject({ level: 'info', from: 'info', to: 'debug', minutes: 15 });
    expect(told()[1]).toMatchObject({ terminal: 'lobby', reader: 'desk' });
  });

  it('goes back at once when told so, and then no second time', async () => {
    const { clock, log, messages } = startLog();
    log.levels.openWindow('trace', minutes(15));
    log.levels.closeWindow();
    log.levels.closeWindow();
    expect(log.levels.isWindowOpen()).toBe(false);
    await clock.advance(minutes(20));
    expect(messages()).toEqual(['log level lowered', 'log level as configured']);
    expect(clock.waits()).toEqual([]);
  });

  it('lowered again begins its time anew', async () => {
    const { clock, log } = startLog();
    log.levels.openWindow('debug', minutes(15));
    await clock.advance(minutes(10));
    log.levels.openWindow('debug', minutes(15));
    await clock.advance(minutes(14));
    expect(log.levels.isWindowOpen()).toBe(true);
    await clock.advance(minutes(2));
    expect(log.levels.isWindowOpen()).toBe(false);
  });

  it.each(['warn', 'error', 'fatal'] as const)(
    'tells the beginning and the end of the limited time where %s is configured',
    async (level) => {
      const { clock, log, messages } = startLog(level);
      log.levels.openWindow('debug', minutes(1));
      await clock.advance(minutes(1));
      log.info('after');
      expect(messages()).toEqual(['log level lowered', 'log level as configured']);
    },
  );

  it('is not raised by a limited time of a higher one', () => {
    const { log, messages } = startLog('trace');
    log.levels.openWindow('debug', minutes(1));
    expect(log.levels.tells('trace')).toBe(true);
    expect(messages()).toHaveLength(1);
  });

  it('changes with the configuration, for the logs that are there already', () => {
    const { log, messages } = startLog('info');
    const child = log.with({ terminal: 'lobby' });
    log.levels.configure('error');
    child.warn('unheard');
    log.levels.configure('debug');
    child.debug('heard');
    expect(messages()).toEqual(['heard']);
  });
});

describe('the developer log of a terminal', () => {
  it('tells all records of that terminal alone, named by its log or by the record', () => {
    const { log, messages } = startLog('warn');
    const lobby = log.with({ terminal: 'lobby' });
    const attic = log.with({ terminal: 'attic' });
    const tellAll = () => {
      for (const one of [lobby, attic]) one.debug('of its log');
      log.debug('of the record', { terminal: 'lobby' });
      log.info('of nobody');
    };
    log.levels.developerLog('lobby', 'on');
    log.levels.developerLog('lobby', 'on');
    tellAll();
    log.levels.developerLog('lobby', 'off');
    tellAll();
    expect(messages()).toEqual(['developer log on', 'of its log', 'of the record', 'developer log off']);
  });
});

describe('a stack', () => {
  it.each([
    [
      'a limited time of debug',
      ({ log }: ReturnType<typeof startLog>) => log.levels.openWindow('debug', minutes(1)),
    ],
    [
      "the terminal's developer log",
      ({ log }: ReturnType<typeof startLog>) => log.levels.developerLog('lobby', 'on'),
    ],
  ])('is told during %s, and not otherwise', (_, begin) => {
    const started = startLog();
    const fail = () => started.log.warn('failed', { terminal: 'lobby', error: new Error('refused') });
    fail();
    begin(started);
    fail();
    const stacks = started
      .told()
      .filter(({ msg }) => msg === 'failed')
      .map(({ error }) => 'stack' in (error as object));
    expect(stacks).toEqual([false, true]);
  });
});

describe('the recent lines', () => {
  it('are those that were written, and no more octets than they may be (I8)', () => {
    const recent = createRecentLines(10);
    for (const line of ['1234', '567', 'äö', '9']) recent.add(line);
    expect(recent.all()).toEqual(['567', 'äö', '9']);
    recent.add('x'.repeat(11));
    expect(recent.all()).toEqual([]);
  });

  it('of a log are its newest records, told ones only', () => {
    const { log, lines } = startLog();
    log.debug('unheard');
    for (let count = 0; count < 5000; count += 1) log.info('heard', { count });
    expect(log.recent()).toEqual(lines.slice(-log.recent().length));
    const octets = Buffer.byteLength(log.recent().join(''));
    expect(octets).toBeGreaterThan(250 * 1024);
    expect(octets).toBeLessThanOrEqual(256 * 1024);
  });
});
