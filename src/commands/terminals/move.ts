/**
 * `platen terminals move`: another gateway of the site serves a terminal, as soon as nobody uses it, until it is moved
 * again. Other terminals of the same printer move with it (F11).
 */
import { hostname } from 'node:os';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { printable } from '../../core/text/printable.ts';
import type { MoveNotice, SetUpMember, Wishes } from '../../fleet/wishes.ts';
import { CommandFailed } from '../failure.ts';
import type { EngineVisit } from '../fleet/engine.ts';
import { atEngine } from '../fleet/engine.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { namedGateway } from '../named-gateway.ts';
import { noSuchTerminal } from '../named-terminal.ts';

export interface MoveOptions {
  readonly config: string;
  readonly id: string;
  readonly to: string;
  /** `undefined`: the site in the file, or the site of the gateway. */
  readonly site?: string;
}

/** Enough for a terminal that nobody uses, and for a gateway that has been running for a while. */
const patience = seconds(10);
const lookEvery = seconds(0.5);

export async function moveCommand(options: MoveOptions, io: Io): Promise<number> {
  const { config, id, to } = options;
  using engine = await atEngine(config, io);
  const { wishesOf } = await import('../../fleet/wishes.ts');
  const site = await siteOf(options, engine);
  const wishes = wishesOf(engine.visit, site);
  const members = await wishes.members();
  if (members.length === 0)
    throw new CommandFailed(
      `There is no gateway at the site ${printable(site)}. Give another site: --site SITE`,
    );
  const able = members.filter(({ terminals }) => Object.hasOwn(terminals, id));
  if (able.length === 0) throw noSuchTerminal(id, terminalsOf(members));
  const notice = { site, terminal: id, to, by: io.caller ?? null, from: hostname() };
  if (to === 'auto') return await leaveToFleet({ id, able, wishes, notice }, io);

  const target = targetAmong(members, { id, to, able, site });
  const group = target.terminals[id] ?? '';
  const before = await wishes.holder(group);
  await wishes.keep(group, target.id, { ...notice, to: target.name });
  tellOthers(members, { id, group }, io);
  const holder = before?.id === target.id ? before : await follow(group, { target, wishes }, io);
  io.out(
    holder?.id === target.id
      ? `${printable(target.name)} serves ${id}, and keeps it until you move it again`
      : `${id} moves to ${printable(target.name)} as soon as nobody uses it${holder ? `. Until then ${printable(holder.name)} serves it` : ''}`,
  );
  return exitCode.ok;
}

/** The site of the gateway, if the caller gave none. A file with only the fleet's part has no site. */
async function siteOf({ site, to }: MoveOptions, { visit, config }: EngineVisit): Promise<string> {
  if (site !== undefined) return site;
  const { gatewaysBy } = await import('../../fleet/members/digests.ts');
  const sites = (await gatewaysBy(visit)).flatMap(({ digest }) =>
    [digest.name, digest.member].includes(to) ? [digest.site] : [],
  );
  const [first = config.site] = sites;
  return sites.includes(config.site) ? config.site : first;
}

/** If a terminal is set up differently at some members, all its printers are left to the fleet. */
async function leaveToFleet(
  {
    id,
    able,
    wishes,
    notice,
  }: {
    readonly id: string;
    readonly able: readonly SetUpMember[];
    readonly wishes: Wishes;
    readonly notice: MoveNotice;
  },
  io: Io,
): Promise<number> {
  const groups = [...new Set(able.map(({ terminals }) => terminals[id] ?? ''))];
  const gone = await Promise.all(groups.map((group) => wishes.takeBack(group, notice)));
  io.out(
    gone.includes(true)
      ? `${id} moves to the gateway that the fleet chooses, as soon as nobody uses it`
      : `${id} is already at the gateway that the fleet has chosen`,
  );
  return exitCode.ok;
}

function targetAmong(
  members: readonly SetUpMember[],
  {
    id,
    to,
    able,
    site,
  }: {
    readonly id: string;
    readonly to: string;
    readonly able: readonly SetUpMember[];
    readonly site: string;
  },
): SetUpMember {
  const names = able.map(({ name }) => printable(name)).join(', ');
  const others = `Gateways that have ${id} in their configuration: ${names}.`;
  const target = namedGateway(members, to, { where: ` at the site ${site}`, others });
  if (!able.includes(target)) {
    throw new CommandFailed(
      `${printable(target.name)} does not have ${id} in its configuration. Gateways that have it: ${names}.`,
    );
  }
  if (target.isServing) return target;
  throw new CommandFailed(
    `${printable(target.name)} is not running (see platen fleet status). ${id} stays where it is.`,
  );
}

/** Resolves with the gateway that serves it at the end. */
async function follow(
  group: string,
  { target, wishes }: { readonly target: SetUpMember; readonly wishes: Wishes },
  { stop }: Pick<Io, 'stop'>,
): ReturnType<Wishes['holder']> {
  const end = systemClock.monotonic() + patience;
  let holder = await wishes.holder(group);
  while (holder?.id !== target.id && systemClock.monotonic() < end) {
    await systemClock.sleep(lookEvery, { signal: stop });
    holder = await wishes.holder(group);
  }
  return holder;
}

function tellOthers(
  members: readonly SetUpMember[],
  { id, group }: { readonly id: string; readonly group: string },
  io: Io,
): void {
  const ids = members.flatMap(({ terminals }) =>
    Object.keys(terminals).filter((one) => terminals[one] === group),
  );
  const others = [...new Set(ids)].filter((one) => one !== id).map(printable);
  if (others.length > 0) io.out(`${others.join(', ')}: moves too, because it is at the same printer`);
}

const terminalsOf = (members: readonly SetUpMember[]): readonly { readonly id: string }[] =>
  [...new Set(members.flatMap(({ terminals }) => Object.keys(terminals)))].toSorted().map((id) => ({ id }));
