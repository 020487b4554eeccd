/**
 * The text of `platen status`: the agent, the terminals, the faults with their beginnings, and the last releases. It is
 * made only from the agent's answer; the people in sessions are not part of it. All names from others are made safe for
 * the screen.
 */
import { isoInstant, parseInstant } from '../../core/clock.ts';
import { counted } from '../../core/text/counted.ts';
import { printable } from '../../core/text/printable.ts';
import type { Color } from '../terminal-text/screen.ts';
import { localTime } from '../terminal-text/local-time.ts';
import { sinceText, spanText } from '../terminal-text/span-text.ts';
import { conditionLines } from './conditions.ts';
import type { Look, Sight } from './look.ts';
import type { Status } from './schema.ts';
import { isStandby, terminalLines } from './terminals.ts';
import { settingsLines } from './settings.ts';
import { table } from '../terminal-text/table.ts';
import { cutTo, labelled, wrapped } from '../terminal-text/text-width.ts';

const at = 10;
/** A gateway may have hundreds of terminals, and nobody reads the settings of all. */
const mostInDetail = 3;

export function statusText(sight: Sight, look: Look): string {
  const { status } = sight;
  const { terminals } = status;
  return [
    ...headLines(sight, look),
    '',
    ...terminalLines(terminals, look),
    ...conditionLines(sight, look),
    ...versionLines(sight, look),
    ...releaseLines(sight, look),
    ...(terminals.length <= mostInDetail
      ? terminals.flatMap((terminal) => settingsLines(terminal, look))
      : ['', 'platen status --terminal ID shows one terminal and the sources of its settings']),
  ].join('\n');
}

/** `ready`, `ready, with conditions`, `standby`, `not ready`. The exit codes 0 and 1 follow the same rule. */
export const stateOf = ({
  ready,
  conditions,
  terminals,
}: Status): { readonly words: string; readonly color: Color } => {
  if (isStandby(terminals) && conditions.length === 0) return { words: 'standby', color: 'green' };
  if (!ready) return { words: 'not ready', color: 'red' };
  return conditions.length === 0
    ? { words: 'ready', color: 'green' }
    : { words: 'ready, with conditions', color: 'yellow' };
};

function headLines({ status, now }: Sight, { width, dot, paint }: Look): readonly string[] {
  const { version, enrollment, outbox, surroundings, config, servers, terminals } = status;
  const { words, color } = stateOf(status);
  const ready = terminals.filter((terminal) => terminal.ready && terminal.outage === null).length;
  const line = (label: string, text: string) => labelled(label, printable(text), { width, at });
  const left = enrollment.tokenExpiresIn;
  const life = left > 0 ? `the device token is valid for ${spanText(left)}` : 'without a device token';
  return [
    `${paint(dot, color)} platen ${printable(version)}: ${paint(words, color)}${awayText(status)}, ${ready} of ${terminals.length} terminals ready`,
    ...(status.startedAt === undefined
      ? []
      : line('agent', `pid ${status.pid ?? '?'}, up since ${sinceText(status.startedAt, now)}`)),
    ...servers.flatMap((server, index) => line(index === 0 ? 'cloud' : '', serverText(server, now))),
    ...(surroundings?.account === undefined ? [] : line('account', accountText(surroundings))),
    ...line('device', `${enrollment.state}, ${life}`),
    ...(config === undefined ? [] : line('config', configText(config, now))),
    ...(status.fleet ? line('fleet', fleetText(status.fleet, status.conditions)) : []),
    ...(status.settling ? line('settling', settlingText(status.settling)) : []),
    ...pushedTexts(status).flatMap((text) => line('', text)),
    ...line('history', outboxText(outbox)),
  ];
}

/** While the service is away, nobody can release at any terminal. */
const awayText = ({ ready, servers }: Status): string =>
  !ready && servers.length > 0 && servers.every(({ isUp }) => !isUp) ? ', the print service is away' : '';

function serverText(
  { baseUrl, isUp, since, version, enrollment }: Status['servers'][number],
  now: number,
): string {
  const state = isUp ? 'answers' : 'is away';
  const from = since ? ` since ${sinceText(since, now)}` : '';
  return `${baseUrl} ${state}${from}, version ${version ?? 'unknown'}, ${enrollment}`;
}

function accountText({ account, locations }: NonNullable<Status['surroundings']>): string {
  if (!account) return '';
  const zone = account.timezone === undefined ? '' : `, ${account.timezone}`;
  return `${account.name} (${account.id})${zone}${locations?.length ? `, location ${locations.join(', ')}` : ''}`;
}

function fleetText(
  { site, engine, beatAgeSeconds, members, held, terminals }: NonNullable<Status['fleet']>,
  conditions: Status['conditions'],
): string {
  const beating = members.filter(({ isBeating }) => isBeating).map(({ name }) => name);
  const last = beatAgeSeconds === null ? '' : `, last answer ${spanText(beatAgeSeconds * 1000)} ago`;
  const isTwice = conditions.some(({ code }) => code === 'fleet-member-twice');
  const away = isTwice
    ? 'another gateway uses the identity of this member'
    : `the engine does not answer${last}`;
  const reached = engine.isUp ? `the engine at ${engine.place} answers` : away;
  const roll = `${beating.length} of ${members.length} members are running: ${beating.join(', ')}`;
  return [
    `site ${site}`,
    reached,
    `serves ${held} of ${terminals} terminals`,
    ...(members.length === 0 ? [] : [roll]),
  ].join('; ');
}

function settlingText({ gateways, secondsLeft }: NonNullable<Status['settling']>): string {
  return (
    `${gateways} gateways may start at the same time and take turns: this one reads its settings within ${spanText(secondsLeft * 1000)}; ` +
    'a badge does not wait for this'
  );
}

/** Empty if no version of the fleet's configuration is in force or on its way. */
function pushedTexts({ fleet }: Status): readonly string[] {
  const { version = null, shadowed = [], rollout = null } = fleet?.configuration ?? {};
  if (version === null && rollout === null) return [];
  const inForce =
    version === null
      ? "only the gateway's own file is in force"
      : `version ${version} of the fleet's configuration is in force`;
  const before =
    shadowed.length === 0 ? '' : `; the gateway's own file overrides it in ${shadowed.join(', ')}`;
  const halted = rollout?.why ? `: ${rollout.gateway} ${rollout.why}` : '';
  const rolloutText = rollout ? `; roll-out ${rollout.number} is ${rollout.state}${halted}` : '';
  return [`${inForce}${before}${rolloutText}`];
}

function configText({ readAt, file, pending }: NonNullable<Status['config']>, now: number): string {
  const waits = pending.length === 0 ? '' : `; waits for a quiet moment: ${pending.join(', ')}`;
  return `${file ? `${file}, ` : ''}read ${sinceText(readAt, now)}${waits}`;
}

function outboxText({ waiting, held, deadLetters, oldest }: Status['outbox']): string {
  const age = typeof oldest === 'number' ? `, the oldest for ${spanText(oldest)}` : '';
  return `${waiting} waiting${age}, ${held} held, ${counted(deadLetters, 'dead letter')}`;
}

function versionLines({ lastSevenDays = [] }: Sight, { width, paint }: Look): readonly string[] {
  if (lastSevenDays.length === 0) return [];
  const rows = lastSevenDays.map(({ version, releases, failed, unknown, medianSeconds }) => [
    version ?? 'earlier',
    String(releases),
    String(failed),
    String(unknown),
    medianSeconds === null ? '-' : tookText(medianSeconds * 1000),
  ]);
  const heading = ['VERSION', 'RELEASES', 'FAILED', 'UNKNOWN', 'MEDIAN'];
  return ['', paint('LAST 7 DAYS BY VERSION', 'bold'), ...cutTo(width, table([heading, ...rows]))];
}

/** The whole status in one line. */
export function statusLineOf({ status, now }: Sight): string {
  const { terminals, conditions, outbox } = status;
  const ready = terminals.filter((terminal) => terminal.ready && terminal.outage === null).length;
  return [
    `${isoInstant(now)} ${stateOf(status).words}${awayText(status)}`,
    `${ready} of ${terminals.length} terminals ready`,
    counted(conditions.length, 'condition'),
    `${counted(outbox.waiting + outbox.held, 'record')} to post`,
  ].join(', ');
}

/** For programs: the agent's answer, and the additions of this command. */
export const statusJson = ({ status, lastSevenDays = [] }: Sight): object => ({ ...status, lastSevenDays });

/** The number of newest releases that are shown. */
export const lastReleases = 5;

function releaseLines({ releases, now }: Sight, { width, paint }: Look): readonly string[] {
  const title = ['', paint('LAST RELEASES', 'bold')];
  if (!releases) {
    return [
      ...title,
      ...wrapped(
        'This command cannot read the releases. Run it as root or as the user platen, or see platen check',
        {
          width,
          indent: 0,
        },
      ),
    ];
  }
  if (releases.length === 0) return [...title, 'none yet'];
  const rows = releases.map(({ releaseId, terminal, startedAt, endedAt, outcome, state }) => {
    const began = parseInstant(startedAt) ?? now;
    const ended = endedAt === undefined ? now : (parseInstant(endedAt) ?? began);
    const end = outcome ?? state.toLowerCase();
    return [releaseId.slice(0, 8), localTime(startedAt), end, tookText(ended - began), terminal];
  });
  const heading = ['RELEASE', 'STARTED', 'OUTCOME', 'TOOK', 'TERMINAL'];
  return [...title, ...cutTo(width, table([heading, ...rows]))];
}

/** A release takes seconds, so tenths of a second matter. */
const tookText = (span: number): string =>
  span < 60_000 ? `${(Math.max(0, span) / 1000).toFixed(1)} s` : spanText(span);
