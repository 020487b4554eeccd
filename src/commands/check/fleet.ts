/**
 * What `platen check` looks at of a fleet: its engine, from the first host on as the agent would reach it, and its
 * members. The engine's code is loaded only where there is a fleet.
 */
import type { Config } from '../../config/schema/config.ts';
import { memberName } from '../../config/member-name.ts';
import { isLoopback } from '../../config/schema/values.ts';
import { systemClock } from '../../core/clock.ts';
import { counted } from '../../core/text/counted.ts';
import { milliseconds } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { EngineSight, MemberSight } from '../../fleet/engine/sight.ts';
import { keptMemberId } from '../../store/files/member-id.ts';
import { spanText } from '../terminal-text/span-text.ts';
import type { Examination, Step } from './examination.ts';

export function examineFleet(config: Config): readonly Step[] {
  const { fleet } = config;
  if (!fleet) return [];
  let sight: EngineSight | undefined;
  const isHere = fleet.engine.url.hosts.every(({ name }) => isLoopback(name));
  const look = async (call: CallOptions) => {
    const { lookAtEngine } = await import('../../fleet/engine/sight.ts');
    sight = await lookAtEngine({ address: fleet.engine.url, key: fleet.key, clock: systemClock }, call);
    return judgeEngine(sight);
  };
  return [
    { what: 'engine', kind: 'engine', needs: isHere ? [] : ['network'], examine: look },
    { what: 'fleet', kind: 'fleet', needs: ['engine'], examine: async () => judgeMembers(sight, config) },
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
      ...{ engine: place, version, role: 'primary', roundTripMilliseconds: trip },
      settings: { fsync, fullPageWrites, synchronousCommit, synchronousStandbys },
      clockAheadMilliseconds: Math.round(clockAhead),
    },
  };
}

/** Told, and no more: nothing of a fleet depends on it. */
function apart(ahead: number): string {
  const whole = Math.round(Math.abs(ahead) / 1000);
  if (whole === 0) return 'as ours';
  return `${spanText(milliseconds(whole * 1000))} ${ahead < 0 ? 'behind' : 'before'} ours`;
}

function judgeMembers(sight: EngineSight | undefined, config: Config): Found {
  if (!sight?.fleet) return { waiting: 'no member yet; the first agent that starts founds the fleet' };
  const { fleet, members } = sight;
  const twice = nameOfTwo(members, config);
  if (twice !== undefined) {
    throw new Error(
      `two gateways are called ${twice}. Give each one a host name, or a device.clientId, of its own`,
    );
  }
  return {
    state: 'ok',
    detail: `${counted(members.length, 'member')}: ${members.map(inWords).join(', ')}`,
    facts: { fleet: fleet.id, level: fleet.level, minimum: fleet.minimum, members },
  };
}

/** Among those that beat: a gateway whose machine was replaced leaves its name to the new one. */
function nameOfTwo(members: readonly MemberSight[], config: Config): string | undefined {
  const own = { id: keptMemberId(config.stateDir) ?? '', name: memberName(config), isBeating: true };
  const beating = [own, ...members].filter(({ isBeating }) => isBeating);
  const isTwin = (one: typeof own, other: typeof own): boolean =>
    one.id !== other.id && one.name.toLowerCase() === other.name.toLowerCase();
  return beating.find((one) => beating.some((other) => isTwin(one, other)))?.name;
}

const inWords = ({ name, site, isBeating, beatAge }: MemberSight): string =>
  isBeating ? `${name} at ${site}` : `${name} at ${site}, gone for ${spanText(beatAge)}`;
