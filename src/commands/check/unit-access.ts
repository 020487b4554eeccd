/**
 * May the agent open a device? Its unit decides this, not the user who runs the check. systemd gives some groups and
 * devices to the service alone (systemd.exec(5), SupplementaryGroups; systemd.resource-control(5), DeviceAllow). A
 * drop-in of the unit gives more.
 */
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { idIn, nameIn, ownersInWords, serviceUserName } from '../../config/file-access.ts';
import { serviceAccount } from '../service-user.ts';
import type { RunProgram } from '../program.ts';

export interface UnitAccess {
  readonly groups: readonly string[];
  /** As in `char-ttyUSB`; `undefined`: all devices. */
  readonly devices: readonly string[] | undefined;
}

/** The user who runs the check, and what the unit gives the agent in addition. */
export interface Looker {
  readonly user: string;
  readonly hasService: boolean;
  /** `undefined` if no unit is installed. */
  readonly unit: UnitAccess | undefined;
}

export type DeviceKind = 'serial' | 'hid';

const wanted = { serial: constants.R_OK | constants.W_OK, hid: constants.R_OK } as const;
const forGroup = { serial: 0o060, hid: 0o040 } as const;

export async function lookerHere(run: RunProgram): Promise<Looker> {
  const user = nameIn('/etc/passwd', process.getuid?.() ?? -1);
  return { user, hasService: serviceAccount() !== undefined, unit: await unitAccess(run) };
}

export async function unitAccess(run: RunProgram): Promise<UnitAccess | undefined> {
  const properties = 'LoadState,SupplementaryGroups,DevicePolicy,DeviceAllow';
  const said = await run('systemctl', ['show', 'platen.service', `--property=${properties}`]);
  const valuesOf = (name: string) =>
    (said ?? '')
      .split('\n')
      .flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
  if (valuesOf('LoadState')[0] !== 'loaded') return undefined;
  const devices = valuesOf('DeviceAllow').map((one) => one.split(' ', 1)[0] ?? '');
  return {
    groups: valuesOf('SupplementaryGroups').flatMap((line) => line.split(' ').filter(Boolean)),
    devices: valuesOf('DevicePolicy')[0] === 'auto' && devices.length === 0 ? undefined : devices,
  };
}

/** The numbers of the unit's groups. Root joins them before it becomes the agent's user. Empty if there is no unit. */
export async function unitGroups(run: RunProgram): Promise<readonly number[]> {
  const { groups = [] } = (await unitAccess(run)) ?? {};
  return groups.flatMap((name) => idIn('/etc/group', name) ?? []);
}

/** Resolves if the agent may open it. Otherwise it rejects with the owner of the device and the remedy. */
export async function mayOpen(path: string, kind: DeviceKind, looker: Looker): Promise<void> {
  try {
    await access(path, wanted[kind]);
  } catch (cause) {
    const why = `${path}: Permission denied for the user ${looker.user}: ${ownersInWords(path)}.`;
    throw new Error(`${why} ${await remedy(path, kind, looker)}`, { cause });
  }
  if (looker.user !== serviceUserName) return;
  const kinds = await classOf(path);
  const { devices } = looker.unit ?? {};
  if (kinds === undefined || devices === undefined || [path, kinds].some((one) => devices.includes(one)))
    return;
  throw new Error(`${path}: platen.service does not let the agent open it. Drop-in: ${dropIn[kind](kinds)}`);
}

const edited = (line: string): string =>
  `systemctl edit platen, and write [Service] and ${line}; then run systemctl restart platen`;

const dropIn: Readonly<Record<DeviceKind, (kinds: string) => string>> = {
  serial: (kinds) => edited(`DeviceAllow=${kinds} rw`),
  hid: () =>
    'install -D -m 0644 -t /etc/systemd/system/platen.service.d /opt/platen/systemd/platen.service.d/usb-readers.conf; ' +
    'systemctl daemon-reload; systemctl restart platen',
};

async function remedy(path: string, kind: DeviceKind, { user, hasService, unit }: Looker): Promise<string> {
  if (user !== serviceUserName && hasService) return 'Run it with sudo. Then it checks as the agent.';
  const { gid, mode } = await stat(path);
  const group = nameIn('/etc/group', gid);
  if (gid === 0 || (mode & forGroup[kind]) !== forGroup[kind]) {
    return 'Give it to the group platen by a line in /etc/udev/rules.d/70-platen-local.rules (systemd/readers.md, "USB readers").';
  }
  if (user !== serviceUserName)
    return `Add the user to the group, and log in again: usermod -aG ${group} ${user}`;
  return unit?.groups.includes(group)
    ? `The agent has the group ${group} through its unit. Run this as root to check as the agent.`
    : `Drop-in: ${edited(`SupplementaryGroups=${group}`)}`;
}

/** The name for DeviceAllow=, from the kernel's name of the node; `undefined` if it is no device of a reader. */
async function classOf(path: string): Promise<string | undefined> {
  const node = await realpath(path);
  if (dirname(node) === '/dev/input') return 'char-input';
  const [, name] = /^(tty[A-Z]+|hidraw)\d+$/.exec(basename(node)) ?? [];
  return name === undefined ? undefined : `char-${name}`;
}
