/** The `datetime` of a history record that was made while the wall clock was wrong (B.4 table 9, I2). */
import { expect, test } from 'vitest';
import { isoWithOffset, parseInstant } from '../../src/core/clock.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import type { ServiceTime } from '../../src/domain/service-time.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { always, startCourier, takes } from './courier-stage.ts';
import { attempt, inheritance, release, releaseId } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const noon = createSteeredClock().now();
const instants = (times: readonly string[]) => times.map((time) => parseInstant(time));

/** What it is by the service, in a machine that started 5 s before noon. */
function serviceAhead(by: number): ServiceTime & { known: boolean } {
  return {
    known: true,
    at(sinceBoot) {
      return this.known ? noon - 5000 + sinceBoot + by : undefined;
    },
  };
}

test('is corrected before it is posted, by what the service tells of the moment of the release', async () => {
  await using stage = startCourier({ serviceTime: serviceAhead(hours(72)) });
  release(stage.ledger, 'CONFIRMED', { release: 1 });
  await stage.pass();
  expect(instants(stage.times)).toEqual([noon + hours(72)]);
  expect(stage.times[0]).toBe(isoWithOffset(noon + hours(72)));
  expect(stage.recorded.records('history time corrected')).toMatchObject([
    { releaseId: releaseId(1), terminal: 'lobby' },
  ]);
});

test('is corrected by the moment of the release, however long after it the service is heard', async () => {
  const serviceTime = serviceAhead(hours(-72));
  serviceTime.known = false;
  await using stage = startCourier({ serviceTime });
  stage.answer(always('cloud-unreachable'));
  release(stage.ledger, 'CONFIRMED', { release: 1 });
  await stage.pass(hours(2));
  serviceTime.known = true;
  stage.answer(takes);
  await stage.pass(minutes(15));
  expect(instants(stage.times.slice(-1))).toEqual([noon - hours(72)]);
});

test('is left as it is where the two clocks differ by less than a minute', async () => {
  await using stage = startCourier({ serviceTime: serviceAhead(seconds(50)) });
  release(stage.ledger, 'CONFIRMED');
  await stage.pass();
  expect(stage.times).toEqual([attempt().history.dateTime]);
});

test.each([-72, 0, 72])(
  'that another gateway left stays as that one wrote it, with our clock %i h away from the service’s',
  async (ahead) => {
    await using stage = startCourier({ serviceTime: serviceAhead(hours(ahead)) });
    const left = inheritance('HANDED-OVER');
    const { history } = left.will;
    const dateTime = isoWithOffset(noon + hours(ahead) - minutes(11));
    stage.ledger.inherit({
      ...left,
      holdFor: seconds(0),
      will: { ...left.will, history: { ...history, dateTime } },
    });
    await stage.pass();
    expect(stage.times).toEqual([dateTime]);
  },
);

test('stays as it was corrected, so that a second post of the record looks like the first', async () => {
  let ahead = hours(72);
  await using stage = startCourier({ serviceTime: { at: (moment) => noon - 5000 + moment + ahead } });
  stage.answer(always('cloud-unreachable', { delivery: 'perhaps' }));
  release(stage.ledger, 'CONFIRMED', { release: 1 });
  await stage.pass();
  ahead = (ahead + seconds(2)) as typeof ahead;
  stage.answer(takes);
  await stage.pass(seconds(5));
  expect(instants(stage.times)).toEqual([noon + hours(72), noon + hours(72)]);
});

test('stays as it was where a post of it may have arrived, so that it is found there', async () => {
  const serviceTime = serviceAhead(hours(72));
  serviceTime.known = false;
  const asked: string[] = [];
  const count = async ({ dateTime }: { readonly dateTime: string }) => asked.push(dateTime);
  await using stage = startCourier({ serviceTime, records: { count } });
  stage.answer(always('cloud-unreachable', { delivery: 'perhaps' }));
  release(stage.ledger, 'CONFIRMED');
  await stage.pass();
  serviceTime.known = true;
  await stage.pass(seconds(5));
  expect(asked).toEqual([attempt().history.dateTime]);
  expect([stage.times, stage.outbox.size()]).toEqual([[attempt().history.dateTime], 0]);
});

test('is corrected by the next agent of the same boot, and no more after another one', async () => {
  for (const { bootId, expected } of [
    { bootId: 'boot-1', expected: noon + hours(72) },
    { bootId: 'boot-2', expected: noon + seconds(1) },
  ]) {
    using directory = temporaryDirectory();
    {
      await using stage = startCourier({ directory: directory.path });
      stage.answer(always('cloud-unreachable'));
      release(stage.ledger, 'CONFIRMED', { release: 1 });
      await stage.pass();
    }
    await using stage = startCourier({
      directory: directory.path,
      bootId,
      serviceTime: serviceAhead(hours(72)),
    });
    await stage.pass();
    expect(instants(stage.times)).toEqual([expected]);
  }
});
