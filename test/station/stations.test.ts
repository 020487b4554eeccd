/** When a terminal that the configuration changes may be closed: nobody is at it, and nothing is on its way out (B.4, 11). */
import { expect, it } from 'vitest';
import type { Config } from '../../src/config/schema/config.ts';
import { createEmbeddedHolds } from '../../src/station/embedded-holds.ts';
import type { RunningStation, StationHooks } from '../../src/station/running-station.ts';
import { Roster } from '../../src/station/roster.ts';
import { Stations } from '../../src/station/stations.ts';
import { recordLog } from '../support/recorded-log.ts';

const configWith = (serialNumber: string): Config =>
  ({ terminals: [{ id: 'lobby', serialNumber, readers: [], printer: { uri: 'ipp://10.0.0.7' } }] }) as never;

/** One terminal; who is at it, and what it prints, is what the test says. */
async function oneTerminal() {
  const recorded = recordLog();
  const ended: string[] = [];
  let isPersonThere = false;
  let isReleasing = false;
  let rest = () => {};
  const open = (plan: { terminal: { serialNumber: string } }, { onRest }: StationHooks): RunningStation => {
    const station = {
      id: 'lobby',
      terminal: { isIdle: () => !isPersonThere, tell() {} },
      desk: { isIdle: () => !isReleasing, resume() {} },
      configChanged() {},
      authorized() {},
    };
    rest = onRest;
    const close = async () => {};
    const end = async () => void ended.push(plan.terminal.serialNumber);
    return {
      plan,
      station,
      measured: { id: 'lobby', readers: [] },
      begin() {},
      close,
      end,
      [Symbol.asyncDispose]: async () => {},
    } as never;
  };
  const nothing = () => {};
  const stations = new Stations({
    roster: new Roster(),
    open,
    onChange: nothing,
    shared: {
      conditions: { forget: nothing },
      settingsReading: { forget: nothing, look: async () => {} },
      holds: createEmbeddedHolds(),
      metrics: { terminalsAre: nothing },
      store: { ledger: { open: () => [] } },
      log: recorded.log,
    } as never,
  });
  await stations.apply(configWith('SN-0001'));
  const stop = new AbortController();
  const run = stations.run(stop.signal);
  return {
    stations,
    ended,
    recorded,
    is(now: { person: boolean; release: boolean }) {
      isPersonThere = now.person;
      isReleasing = now.release;
      rest();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await run;
    },
  };
}

it('goes on under a release whose person has signed out, and changes when that has ended', async () => {
  await using place = await oneTerminal();
  const { stations, ended } = place;
  place.is({ person: true, release: true });
  await stations.apply(configWith('SN-0002'));
  expect(stations.pending()).toEqual(['lobby: the change waits: somebody is using it']);

  place.is({ person: false, release: true });
  await stations.apply(configWith('SN-0002'));
  expect(stations.pending()).toEqual(['lobby: the change waits: a document is being printed']);
  expect(ended).toEqual([]);

  place.is({ person: false, release: false });
  await expect.poll(() => stations.pending()).toEqual([]);
  expect(ended).toEqual(['SN-0001']);
  expect(place.recorded.records('terminal changed')).toMatchObject([{ terminal: 'lobby' }]);
});
