/**
 * What a gateway with 250 terminals asks the service while nobody badges: a whole agent on a clock that runs 60 times
 * as fast, everything the embedded cloud was asked for counted by what it was for.
 */
import { hours, milliseconds, minutes } from '../../src/core/duration.ts';
import type { CallRecord } from '../../src/simulator/cloud/serving.ts';
import type { OutputPortInfo } from '../../src/simulator/cloud/state.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { setStage } from '../support/agent/stage.ts';
import type { Measurement } from './figures.ts';

const terminals = 250;
/** Virtual. At the start everything is read once, and again an hour later, spread over half an hour. */
const settling = minutes(90);
const span = hours(1);

const purposes: readonly (readonly [string, RegExp])[] = [
  ['status reports', /\/terminalinfo$/],
  ['adopted settings', /\/outputports$|\/terminalconfig$/],
  ['device token', /\/oauth\/v1\//],
  ['everything else', /./],
];

export async function measureIdleRequests(): Promise<Measurement> {
  const clock = forwardClock();
  const numbers = Array.from({ length: terminals }, (_, index) => index + 1);
  const serialOf = (number: number) => `SN-${String(number).padStart(4, '0')}`;
  const [model] = sampleData.outputPorts;
  if (!model) throw new Error('the sample data has no output port');
  const outputPorts = numbers.map(
    (number): OutputPortInfo => ({
      ...model,
      id: number,
      name: `Port ${number}`,
      deviceSerial: serialOf(number),
    }),
  );
  await using stage = await setStage({
    clock,
    cloud: { seed: { ...sampleData, outputPorts } },
    others: numbers.slice(1).map((number) => ({ id: `t${number}`, serialNumber: serialOf(number) })),
  });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await passed(clock, settling);
  const from = stage.cloud.calls.length;
  const since = clock.monotonic();
  await passed(clock, span);
  const seconds = (clock.monotonic() - since) / 1000;
  const calls = stage.cloud.calls.slice(from);

  const left = [...calls];
  const rates = purposes.map(([purpose, path]): [string, number, CallRecord[]] => {
    const mine = left.filter((call) => path.test(call.path));
    for (const call of mine) left.splice(left.indexOf(call), 1);
    return [purpose, mine.length / seconds, mine];
  });
  const withoutReports = rates.filter(([purpose]) => purpose !== 'status reports');
  const settings = withoutReports.reduce((sum, [, rate]) => sum + rate, 0);
  return {
    title: `Requests of one gateway with ${terminals} terminals while nobody badges`,
    how: `Over ${Math.round(seconds / 60)} virtual minutes, after ${settling / 60_000} to settle. Status reports are as often as status.intervalSeconds (60) says.`,
    rows: [
      ['', 'requests', 'rate'],
      ...rates.map(([purpose, rate, mine]) => [purpose, String(mine.length), `${rate.toFixed(3)} /s`]),
    ],
    goals: [{ what: 'all but the status reports', figure: settings, limit: 0.2, unit: '/s' }],
  };
}

/** Runs the clock so much further. */
const passed = (clock: ReturnType<typeof forwardClock>, time: number): Promise<void> =>
  clock.hurry(clock.sleep(milliseconds(time)));
