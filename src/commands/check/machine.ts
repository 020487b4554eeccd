/** `platen check` for the machine itself: network, time zone, memory, Node. It changes nothing. */
import { readFile, realpath } from 'node:fs/promises';
import type { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { isoWithOffset, parseInstant, systemClock } from '../../core/clock.ts';
import type { Examination } from './examination.ts';

/** One cause of many failures: without an address only the machine itself can be reached. */
export async function examineNetwork(interfaces: ReturnType<typeof networkInterfaces>): Promise<string> {
  const up = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses.filter(({ internal }) => !internal).map(({ address }) => `${name} ${address}`),
  );
  if (up.length === 0) {
    throw new Error(
      'no network interface has an address. Check the cable, the switch and DHCP; ip address shows them',
    );
  }
  return up.slice(0, 4).join(', ') + (up.length > 4 ? ` and ${up.length - 4} more` : '');
}

/** The history of the service has local times. Node treats an unknown zone as UTC and does not say so. */
export async function examineTimeZone(wanted: string | undefined): Promise<string> {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const asked = wanted?.replace(/^:/, '') ?? '';
  const isPath = asked.startsWith('/');
  if (asked !== '' && !isPath && !isTimeZone(asked)) {
    throw new Error(
      `TZ=${asked} is not a time zone, so times are in UTC. Unset TZ, or run: timedatectl set-timezone`,
    );
  }
  return `${timeZone}, ${isoWithOffset(systemClock.now()).slice(-6)} from UTC`;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // A POSIX rule such as CET-1CEST is not in the list of Intl, but Node understands it.
    return /^[A-Za-z]{3,}[+-]?\d/.test(name);
  }
}

/** Megabytes: the most that the agent needs with one terminal and its converter. */
const leastMemory = 64;

export async function examineMemory(meminfo = '/proc/meminfo'): ReturnType<Examination> {
  const text = await readFile(meminfo, 'utf8').catch(() => '');
  const of = (name: string) =>
    Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024;
  const [free, all] = [Math.floor(of('MemAvailable')), Math.round(of('MemTotal'))];
  if (Number.isNaN(free)) return 'not known on this system';
  if (free < leastMemory) {
    throw new Error(
      `${free} MB of ${all} MB are left. Stop what uses it (top -o %MEM), or give the machine more memory`,
    );
  }
  return `${free} MB of ${all} MB are left`;
}

/** Milliseconds. */
const day = 86_400_000;

/**
 * The version and the age of Node. Only an update of the package brings a newer Node. Node knows its version, but the
 * day of its release is only in the CHANGELOG.md of its distribution.
 */
export async function examineNode(now: number, program = process.execPath): Promise<string> {
  const { node, openssl } = process.versions;
  const changes = join(dirname(await realpath(program)), '../CHANGELOG.md');
  const text = await readFile(changes, 'utf8').catch(() => '');
  const [, date] = new RegExp(`^## (\\d{4}-\\d\\d-\\d\\d), Version ${node} `, 'm').exec(text) ?? [];
  const since = date === undefined ? undefined : parseInstant(date);
  const age =
    since === undefined ? 'of an unknown date' : `of ${date}, ${Math.floor((now - since) / day)} days old`;
  return `${node} ${age}; OpenSSL ${openssl}`;
}
