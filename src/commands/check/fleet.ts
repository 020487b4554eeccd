/**
 * `platen check` for a fleet: its engine and its members. It tries the hosts of the engine in the same order as the
 * agent. The code of the engine is loaded only if there is a fleet.
 */
import type { Config } from '../../config/schema/config.ts';
import { memberName } from '../../config/fleet-part.ts';
import { isLoopback } from '../../config/schema/values.ts';
import { systemClock } from '../../core/clock.ts';
import { counted } from '../../core/text/counted.ts';
import { milliseconds } from '../../core/duration.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { EngineSight, MemberSight } from '../../fleet/engine/sight.ts';
import { keptFleet, keptMemberId } from '../../store/files/fleet-memory.ts';
import { spanText } from '../terminal-text/span-text.ts';
import type { Examination, Step } from './examination.ts';

export type FleetLook = (call: CallOptions) => Promise<EngineSight>;

/** All lines share one look; `undefined` without a fleet. */
export function fleetLook({ fleet, stateDir }: Config): FleetLook | undefined {
  if (!fleet) return undefined;
  const { key, previousKey, site, engine } = fleet;
  const at = { address: engine.url, key, previousKey, site };
  let asked: Promise<EngineSight> | undefined;
  const look: FleetLook = async (call) => {
    const belongsTo = keptFleet(stateDir)?.fleetId;
    const { lookAtEngine } = await import('../../fleet/engine/sight.ts');
    return lookAtEngine({ ...at, belongsTo, clock: systemClock }, call);
  };
  return (call) => (asked ??= look(call));
}

export function examineFleet(config: Config, look: FleetLook | undefined): readonly Step[] {
  const { fleet } = config;
  if (!fleet || !look) return [];
  const isHere = fleet.engine.url.hosts.every(({ name }) => isLoopback(name));
  return [
    {
      what: 'engine',
      kind: 'engine',
      needs: isHere ? [] : ['network'],
      examine: async (call) => judgeEngine(await look(call)),
    },
    {
      what: 'fleet',
      kind: 'fleet',
      needs: ['engine'],
      examine: async (call) => judgeMembers(await look(call), config),
    },
  ];
}

type Found = Awaited<ReturnType<Examination>>;

function judgeEngine({ server }: EngineSight): Found {
  const { place, settings, roundTrip, clockAhead } = server;
  const { version, fsync, fullPageWrites, synchronousCommit, synchronousStandbys } = settings;
  const trip = Math.max(1, Math.round(roundTrip));
  const standbys = synchronousStandbys === '' ? 'no synchronous standby' : `standbys ${synchronousStandbys}`;
  const detail = [
    `${place}: PostgreSQL ${version}, primary`,
    `fsync ${fsync}, full_page_writes ${fullPageWrites}, synchronous_commit ${synchronousCommit}, ${standbys}`,
    `round trip ${trip} ms`,
    `its clock is ${apart(clockAhead)}`,
  ].join('; ');
  return {
    state: 'ok',
    detail,
    facts: {
      engine: place,
      version,
      role: 'primary',
      roundTripMilliseconds: trip,
      settings: { fsync, fullPageWrites, synchronousCommit, synchronousStandbys },
      clockAheadMilliseconds: Math.round(clockAhead),
    },
  };
}

/** Only a remark, because nothing in a fleet depends on equal clocks. */
function apart(ahead: number): string {
  const whole = Math.round(Math.abs(ahead) / 1000);
  if (whole === 0) return 'the same as ours';
  return `${spanText(milliseconds(whole * 1000))} ${ahead < 0 ? 'behind' : 'ahead of'} ours`;
}

async function judgeMembers(sight: EngineSight, config: Config): Promise<Found> {
  if (!sight.fleet) {
    const where = `the database ${config.fleet?.engine.url.database} at ${sight.server.place}`;
    return {
      waiting: `${where} has no fleet in it, so this gateway would begin a new fleet there. If your other gateways are already in a fleet, correct fleet.engine.url`,
    };
  }
  const { fleet, members, unreported } = sight;
  const twice = nameOfTwo(members, config);
  if (twice !== undefined) {
    throw new Error(
      `two gateways have the name ${twice}. Give each its own host name or its own device.clientId`,
    );
  }
  if (unreported.length > 0) {
    const { unreportedInWords } = await import('../../fleet/engine/untold.ts');
    throw new Problem('fleet-forgot', unreportedInWords(unreported));
  }
  return {
    state: 'ok',
    detail: `${counted(members.length, 'member')}: ${members.map(inWords).join(', ')}`,
    facts: { fleet: fleet.id, level: fleet.level, minimum: fleet.minimum, members },
  };
}

/** Only members that beat count: a gateway on a new machine keeps the name of the old one. */
function nameOfTwo(members: readonly MemberSight[], config: Config): string | undefined {
  const own = { id: keptMemberId(config.stateDir) ?? '', name: memberName(config), isBeating: true };
  const beating = [own, ...members].filter(({ isBeating }) => isBeating);
  const isTwin = (one: typeof own, other: typeof own): boolean =>
    one.id !== other.id && one.name.toLowerCase() === other.name.toLowerCase();
  return beating.find((one) => beating.some((other) => isTwin(one, other)))?.name;
}

const inWords = ({ name, site, isBeating, beatAge }: MemberSight): string =>
  isBeating ? `${name} at ${site}` : `${name} at ${site}, away for ${spanText(beatAge)}`;
