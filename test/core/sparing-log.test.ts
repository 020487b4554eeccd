import { expect, it } from 'vitest';
import { hours, minutes } from '../../src/core/duration.ts';
import { createSparingLog } from '../../src/core/sparing-log.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function sparingLog() {
  const clock = createSteeredClock();
  const recorded = recordLog();
  const reported = (msg: string) => recorded.records(msg).filter(({ level }) => level !== 'debug');
  return { clock, reported, recorded, log: createSparingLog({ log: recorded.log, clock }) };
}

it('what comes for months is told sixty times an hour, and how often it came besides (I8)', async () => {
  const { clock, reported, log } = sparingLog();
  for (let minute = 0; minute < 120; minute += 1) {
    for (let time = 0; time < 30; time += 1) log.warn('reader down', { reader: 'front' });
    await clock.advance(minutes(1));
  }
  expect(reported('reader down')).toHaveLength(120);
  expect(reported('reader down')[60]).toMatchObject({ level: 'warn', reader: 'front', unreported: 1740 });
  expect(reported('reader down')[61]).not.toHaveProperty('unreported');
});

it('one condition does not hush another', () => {
  const { reported, log } = sparingLog();
  for (let time = 0; time < 100; time += 1) log.warn('condition raised', { scope: 't1', subject: 'left' });
  log.warn('condition raised', { scope: 't1', subject: 'right' });
  expect(reported('condition raised').filter(({ subject }) => subject === 'right')).toHaveLength(1);
  expect(reported('condition raised')).toHaveLength(61);
});

it('one message does not hush another, and all of it stands in the log at debug', async () => {
  const { clock, reported, recorded, log } = sparingLog();
  for (let time = 0; time < 100; time += 1) log.with({ reader: 'front' }).info('reader up');
  log.warn('reader down');
  expect([reported('reader up').length, reported('reader down').length]).toEqual([60, 1]);
  expect(recorded.records('reader up')).toHaveLength(100);
  await clock.advance(hours(1));
  log.info('reader up');
  expect(reported('reader up').at(-1)).toMatchObject({ level: 'info', unreported: 40 });
});
