/**
 * The agent that `platen init` follows: the systemd unit, if it is installed and reads this file; or an agent that runs
 * already; or else a `platen run` process for the time of the command. Init is never the agent itself, because the
 * state directory has one writer (INVARIANTS.md D13).
 */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Config } from '../../../config/schema/config.ts';
import { printable } from '../../../core/text/printable.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import { CommandFailed } from '../../failure.ts';
import type { Reader } from '../file.ts';
import { makeStateFolder, replaceFile } from '../file.ts';
import {
  addressesOf,
  addressListFile,
  addressListText,
  resolversHere,
  resolversIn,
} from '../../../operations/address-list.ts';
import { usualConfig } from '../../usual-options.ts';
import type { RunProgram } from '../programs.ts';
import { startPlaten } from '../../platen-process.ts';
import type { Io } from '../../io.ts';
import { exitCode } from '../../io.ts';
import { askStatus } from '../../running-agent.ts';
import { peersOf } from '../../../config/peers.ts';
import { AddressSet } from '../../../core/address-set.ts';
import { systemChance } from '../../../core/chance.ts';
import type { Resolve } from '../../../operations/address-list.ts';

export interface AgentKeeper extends AsyncDisposable {
  readonly kind: 'systemd' | 'running' | 'here';
  /** The exit code of the agent, if it has ended. */
  ended(): Promise<number | undefined>;
}

export interface ServiceDeps extends Reader {
  readonly file: string;
  readonly config: Config;
  /** The file was changed, so an agent that already runs has read an older file. */
  readonly isChanged: boolean;
  readonly run: RunProgram;
  readonly io: Io;
  /** This folder exists if systemd is the init system (sd_booted(3)). */
  readonly systemd?: string;
  /** The drop-in of the unit with its addresses. */
  readonly addressList?: string;
}

const unit = 'platen.service';

/** The steps that need root: it enables and starts the unit, or it makes a folder that the agent could not make. */
export async function prepareService(deps: ServiceDeps): Promise<'unit' | 'none'> {
  if (await hasUnit(deps)) {
    const list = await addressListFor(deps.config, { resolvers: await resolversHere() });
    if (list.kind === 'none') deps.io.out(`The unit has no list of allowed addresses, because ${list.why}.`);
    const isListChanged = await writeAddressList(list, deps.addressList);
    if (isListChanged) deps.io.out("The unit's list of allowed addresses was written anew.");
    await startUnit(deps, isListChanged);
    return 'unit';
  }
  await makeStateFolder(deps.config.stateDir, deps);
  return 'none';
}

/** Rejects `already-running` if only the user who started the running agent can make it read the new file. */
export async function keepAgent(deps: ServiceDeps, service: 'unit' | 'none'): Promise<AgentKeeper> {
  const { file, config, isChanged, run, io } = deps;
  if (service === 'unit') {
    const isFailed = async () =>
      (await run('systemctl', ['is-failed', '--quiet', unit], { signal: io.stop })).code === 0;
    return {
      kind: 'systemd',
      ended: async () => ((await isFailed()) ? exitCode.failed : undefined),
      ...kept,
    };
  }
  const isRunning = (await askStatus(config, io)) !== undefined;
  if (isRunning && isChanged) {
    throw new Problem(
      'already-running',
      `an agent is running with the old file. Restart it, then run this command again`,
    );
  }
  if (isRunning) return { kind: 'running', ended: async () => undefined, ...kept };
  const agent = startPlaten(['run', '-c', file], { io });
  return {
    kind: 'here',
    ended: async () => agent.exitCode(),
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}

/** The agent continues without this command. */
const kept = { async [Symbol.asyncDispose]() {} };

export async function hasUnit({
  file,
  run,
  io,
  systemd = '/run/systemd/system',
}: Pick<ServiceDeps, 'file' | 'run' | 'io' | 'systemd'>): Promise<boolean> {
  if (file !== usualConfig || process.getuid?.() !== 0 || !existsSync(systemd)) return false;
  return (await run('systemctl', ['cat', unit], { signal: io.stop })).code === 0;
}

async function startUnit({ isChanged, run, io }: ServiceDeps, isListChanged: boolean): Promise<void> {
  const systemctl = async (...args: readonly string[]) => {
    const { code, stderr } = await run('systemctl', [...args, unit], { signal: io.stop });
    if (code !== 0)
      throw new CommandFailed(`systemctl ${args.join(' ')} ${unit}: ${printable(stderr.trim())}`);
  };
  // The old agent is stopped first, so an answer after this comes from an agent with the new file.
  if (isChanged || isListChanged) await systemctl('stop');
  if (isListChanged) await run('systemctl', ['daemon-reload'], { signal: io.stop });
  await systemctl('enable');
  await systemctl('start', '--no-block');
}

/**
 * The list of addresses for the unit, as `platen init` writes it: all addresses in the configuration, and the servers
 * that resolve its names. If a list could cut the gateway off later, it is not written, and the reason is told. A name
 * with internet addresses may move, and the callers of an open listener are not known.
 */
type AddressList =
  | { readonly kind: 'list'; readonly text: string }
  | { readonly kind: 'none'; readonly why: string };

export async function addressListFor(
  config: Config,
  { resolvers, resolve }: { readonly resolvers: string; readonly resolve?: Resolve },
): Promise<AddressList> {
  const peers = peersOf(config);
  if (peers.openTo !== undefined) {
    return { kind: 'none', why: `${peers.openTo} accepts callers from any address` };
  }
  const found = await addressesOf(peers, resolve);
  for (const { host, addresses } of found) {
    if (addresses.length === 0) return { kind: 'none', why: `${host} has no address now` };
    const isMoving = isIP(host) === 0 && addresses.some((address) => !ownNetworks.has(address));
    if (isMoving)
      return { kind: 'none', why: `${host} is a name in the internet, and its addresses can change` };
  }
  const all = [...found.flatMap(({ addresses }) => addresses), ...resolversIn(resolvers)];
  return { kind: 'list', text: addressListText([...new Set(all.toSorted()), ...peers.networks]) };
}

/** Networks inside an organisation: RFC 1918, RFC 6598, RFC 4193, link-local and loopback. */
const ownNetworks = new AddressSet([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1',
]);

/** Writes as root, for the installed unit. Returns whether the list has changed. */
export async function writeAddressList(list: AddressList, file = addressListFile): Promise<boolean> {
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (list.kind === 'none') {
    await rm(file, { force: true });
    return before !== undefined;
  }
  if (before === list.text) return false;
  // The agent reads it, and it has no secret.
  await replaceFile(file, list.text, { reader: undefined, chance: systemChance, mode: 0o644 });
  return true;
}
