/**
 * The output ports of the account for all members (F14): one reads them, and the others take them from the engine. If a
 * port is missing there, again one member asks the service. If the engine is away, each reads for itself.
 */
import type { Duration } from '../core/duration.ts';
import { minutes, seconds } from '../core/duration.ts';
import type { Env } from '../domain/env.ts';
import type { OutputPort, SoughtPort } from '../domain/output-port.ts';
import { findOutputPort } from '../domain/output-port.ts';
import type { OutputPorts, PortListOptions } from '../domain/ports/service.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { PortsSeen, PortTable } from './port-table.ts';

export interface SharedPortsDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly ports: OutputPorts;
  readonly table: PortTable;
}

/** Every member asks hourly: a change is known to all within an hour and a quarter. */
const freshFor = minutes(15);
/** A port that was not there a minute ago is not looked for again. */
const absentFor = minutes(1);
const whileOneReads = seconds(5);
/** Rows in a statement, which then takes milliseconds: the beats of this member come in between. */
const batch = 250;

/** A reading with a person's token is made alone, because that person may see other ports than a device. */
export const createSharedPorts = (deps: SharedPortsDeps): OutputPorts => ({
  async list(options) {
    const { ports, log } = deps;
    const { only, token, each } = options;
    if (!only || token || each) return ports.list(options);
    try {
      return await fromEngine(deps, only, options);
    } catch (error) {
      if (!isProblem(error, 'fleet-engine-away')) throw error;
      log.debug('output ports read alone', { error });
      return ports.list(options);
    }
  },
});

async function fromEngine(
  deps: SharedPortsDeps,
  only: readonly SoughtPort[],
  options: PortListOptions,
): Promise<readonly OutputPort[]> {
  const { table, clock, chance } = deps;
  const { signal } = options;
  for (;;) {
    const seen = await table.look(only, signal);
    if (isFresh(seen, only)) return seen.ports;
    const reading = await table.begin(signal);
    if (reading !== undefined) return readForAll(deps, reading, options);
    // Another member is reading: the last whole reading is used in the meantime.
    if (seen.age !== undefined && isWhole(seen, only)) return seen.ports;
    await clock.sleep(chance.jitter(whileOneReads), { signal });
  }
}

const isWhole = ({ ports }: PortsSeen, only: readonly SoughtPort[]): boolean =>
  only.every((one) => findOutputPort(ports, one) !== undefined);

/** An age below 0 means that the engine's clock was set back, so the true age is unknown. */
const isFresh = (seen: PortsSeen, only: readonly SoughtPort[]): boolean =>
  seen.age !== undefined && seen.age >= 0 && seen.age < goodFor(seen, only);

const goodFor = (seen: PortsSeen, only: readonly SoughtPort[]): Duration =>
  isWhole(seen, only) ? freshFor : absentFor;

async function readForAll(
  { ports, table, log }: SharedPortsDeps,
  reading: number,
  options: PortListOptions,
): Promise<readonly OutputPort[]> {
  const { signal } = options;
  let waiting: OutputPort[] = [];
  let count = 0;
  let isMine = true;
  const tell = async (): Promise<void> => {
    const [some, from] = [waiting, count];
    waiting = [];
    count += some.length;
    if (isMine && some.length > 0) isMine = await table.add(reading, from, some, signal);
  };
  try {
    const found = await ports.list({
      ...options,
      each: (port) => {
        waiting.push(port);
        return waiting.length >= batch ? tell() : undefined;
      },
    });
    await tell();
    if (isMine) await table.finish(reading, signal);
    log.info('output ports read for the fleet', { ports: count });
    return found;
  } catch (error) {
    await table.giveUp(reading, signal).catch(() => {});
    throw error;
  }
}
