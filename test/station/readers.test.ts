/** The readers of a terminal, as they are opened by its configuration. */
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { runServices } from '../../src/core/service.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import { createDialIn } from '../../src/readers/tcp/dial-in.ts';
import { openReaders } from '../../src/station/readers.ts';
import { createConditions } from '../../src/status/conditions.ts';
import { until } from '../contracts/reader.ts';
import { freePort } from '../peers/free-port.ts';
import { recordLog } from '../support/recorded-log.ts';

it('a caller that hangs up and dials again all the time fills no log (I8)', async () => {
  const recorded = recordLog();
  const world = { clock: systemClock, log: recorded.log };
  const listen = { host: '127.0.0.1', port: await freePort() };
  const states: string[] = [];
  const reader = {
    type: 'tcp-listen',
    listen,
    framing: { kind: 'line' },
    silentAfterHours: 'off',
  } as const;
  const { services } = openReaders(
    { id: 'lobby', readers: [{ ...reader, from: [] }] },
    {
      ...{ ...world, chance: systemChance, dialIn: createDialIn(world), conditions: createConditions(world) },
      trust: systemTrust(),
      onCard: () => {},
      onRemoved: () => {},
      onFrame: () => {},
      onState: (_, state) => void states.push(state),
    },
  );
  const stop = new AbortController();
  const running = runServices(services, stop.signal);
  onTestFinished(() => {
    stop.abort();
    return running;
  });
  for (let time = 1; time <= 70; time += 1) {
    const caller = connect(listen).on('error', () => {});
    await until(() => expect(states).toHaveLength(2 * time - 1));
    caller.destroy();
    await until(() => expect(states).toHaveLength(2 * time));
  }
  const told = recorded.records('reader up').filter(({ level }) => level !== 'debug');
  expect(told).toHaveLength(60);
});
