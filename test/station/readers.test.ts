/** The readers of a terminal, as they are opened by its configuration. */
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { runServices } from '../../src/core/service.ts';
import { createHealth } from '../../src/operations/health.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import { createDialIn } from '../../src/readers/tcp/dial-in.ts';
import { openReaders } from '../../src/station/readers.ts';
import { createConditions } from '../../src/status/conditions.ts';
import { until } from '../contracts/reader.ts';
import { freePort } from '../support/ports.ts';
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
  const { services, serve } = openReaders(
    { id: 'lobby', readers: [{ ...reader, from: [] }] },
    {
      ...world,
      chance: systemChance,
      dialIn: createDialIn(world),
      conditions: createConditions(world),
      trust: systemTrust(),
      health: createHealth(world),
      onCard: () => {},
      onRemoved: () => {},
      onFrame: () => {},
      onState: (_, state) => void states.push(state),
    },
  );
  const stop = new AbortController();
  void serve(true);
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
  const reported = recorded.records('reader up').filter(({ level }) => level !== 'debug');
  expect(reported).toHaveLength(60);
});

it('F11: a reader of a terminal that another gateway serves is refused, and let in as soon as it is served here', async () => {
  const recorded = recordLog();
  const world = { clock: systemClock, log: recorded.log };
  const listen = { host: '127.0.0.1', port: await freePort() };
  const conditions = createConditions(world);
  const states: string[] = [];
  const reader = { type: 'tcp-listen', listen, framing: { kind: 'line' }, silentAfterHours: 'off' } as const;
  const readers = openReaders(
    { id: 'lobby', readers: [{ ...reader, from: [] }] },
    {
      ...world,
      chance: systemChance,
      dialIn: createDialIn(world),
      conditions,
      trust: systemTrust(),
      health: createHealth(world),
      onCard: () => {},
      onRemoved: () => {},
      onFrame: () => {},
      onState: (_, state) => void states.push(state),
    },
  );
  const stop = new AbortController();
  const running = runServices(readers.services, stop.signal);
  onTestFinished(() => {
    stop.abort();
    return running;
  });
  const call = () =>
    new Promise<string>((resolve) => {
      const caller = connect(listen);
      onTestFinished(() => void caller.destroy());
      caller.once('connect', () => resolve('taken')).once('error', (error) => resolve(error.message));
    });
  expect(await call()).toContain('ECONNREFUSED');
  await readers.serve(true);
  await expect.poll(call).toBe('taken');
  await until(() => expect(states).toContain('up'));

  await readers.serve(false);
  expect(readers.states()).toMatchObject([{ state: 'down' }]);
  expect(conditions.list()).toEqual([]);
  expect(await call()).toContain('ECONNREFUSED');

  states.length = 0;
  await readers.serve(true);
  const seenWhenSettled = readers.settled().then(() => [...states]);
  await expect.poll(call).toBe('taken');
  // Who is told that badges are taken again must not hold theirs to a reader that is not open yet.
  expect(await seenWhenSettled).toEqual(['up']);
});
