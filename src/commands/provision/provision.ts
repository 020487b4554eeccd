/**
 * `platen provision`: compares the configured terminals with the service's output ports, and tells what is missing or
 * different. With `--apply` it makes, changes and moves ports, and on request their container and terminal config. It
 * acts with an administrator's login, not with the rights of the device, and deletes nothing. `plan.ts` finds the port
 * of each terminal and the differences.
 */
import type { Cloud } from '../../cloud/client.ts';
import type { Directory } from '../../cloud/directory.ts';
import { loadConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema/config.ts';
import type { OutputPort } from '../../domain/output-port.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { noteDeed } from '../deed.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { provideContainer, provideTerminalConfig } from './further.ts';
import type { Places } from './places.ts';
import { placesOf } from './places.ts';
import type { NewPort, PortPlace, PortPlan } from './plan.ts';
import { planFor } from './plan.ts';
import type { Done, Result } from './result.ts';
import { lineOf, needsPerson, unlessFailed } from './result.ts';
import type { UserOptions } from '../service-access.ts';
import { atService, loginAs } from '../service-access.ts';

export interface ProvisionOptions extends UserOptions {
  readonly config: string;
  /** For new ports, and for ports whose own domain is not known. Absent: the primary domain of the account. */
  readonly domain?: string;
  /** Ports with another domain move to this domain. */
  readonly move?: boolean;
  /** The name of the container with this domain. */
  readonly container?: string;
  /** The name of a terminal config for ports without one, and the maker of the printers. */
  readonly terminalConfig?: string;
  readonly vendor?: string;
  readonly apply?: boolean;
  readonly json?: boolean;
}

export async function provisionCommand(options: ProvisionOptions, io: Io): Promise<number> {
  const config = loadConfig(options.config, io.env);
  const results = await atService(config, io, (cloud) => provision(cloud, { config, options, io }));
  if (options.json) io.out(JSON.stringify(results, undefined, 2));
  else if (results.some(({ state }) => state === 'create' || state === 'change')) {
    io.out('Nothing was changed. To make these changes, add --apply.');
  }
  return results.some(needsPerson) ? exitCode.failed : exitCode.ok;
}

interface Provisioning {
  readonly config: Config;
  readonly options: ProvisionOptions;
  readonly io: Io;
}

async function provision(cloud: Cloud, { config, options, io }: Provisioning): Promise<readonly Result[]> {
  const caller = { signal: io.stop, token: await loginAs(cloud, options, io) };
  const directory = cloud.directory(caller.token);
  const { apply = false, domain, container, terminalConfig: name, vendor } = options;
  const places = placesOf(directory.accounts, { domain, caller });
  const making = { directory, places, apply, caller };
  const results: Result[] = [];
  const tell = (result: Result) => {
    if (needsPerson(result)) io.error(`platen: ${lineOf(result)}`);
    else if (!options.json) io.out(lineOf(result));
    results.push(result);
  };
  try {
    if (container !== undefined && domain !== undefined) {
      const done = await unlessFailed(provideContainer({ name: container, domain }, making));
      tell({ about: 'container', ...done });
      // Without the container there is no place for ports.
      if (needsPerson(done)) return results;
    }
    // With --apply the service reports a missing domain itself.
    if (!apply && container === undefined && domain !== undefined) await requirePlace(places, domain);
    const surroundings = {
      ports: await cloud.outputPorts.list(caller),
      terminals: config.terminals,
      description: config.device.description,
    };
    const carryOut = carrierOut(options, making);
    for (const terminal of config.terminals) {
      caller.signal.throwIfAborted();
      tell({ terminal: terminal.id, ...(await unlessFailed(carryOut(planFor(terminal, surroundings)))) });
    }
    if (name !== undefined && vendor !== undefined) {
      const { terminals } = config;
      const provided = provideTerminalConfig({ name, vendor }, { ...making, cloud, terminals, results });
      tell({ about: 'terminal config', ...(await unlessFailed(provided)) });
    }
    return results;
  } finally {
    await noteMade(results, config, io);
  }
}

/** If this user may not see accounts, the following calls report it. */
async function requirePlace(places: Places, domain: string): Promise<void> {
  try {
    if ((await places.idOf(domain)) !== undefined) return;
  } catch (error) {
    if (isProblem(error, 'cloud-denied')) return;
    throw error;
  }
  throw new CommandFailed(
    `nothing in the service has the domain ${domain}. Correct it, or make a container for it with --container NAME`,
  );
}

async function noteMade(results: readonly Result[], config: Config, io: Io): Promise<void> {
  const made = results.filter(({ state }) => state === 'created' || state === 'changed');
  const changed = made.map(({ terminal, about, state }) => `${terminal ?? about} ${state}`);
  if (made.length > 0) await noteDeed(config, io, { action: 'provision', changed });
}

/** Without `apply` it only tells what it would do. */
function carrierOut(
  { domain, move = false }: ProvisionOptions,
  { directory, places, apply, caller }: Carrying,
): (plan: PortPlan) => Promise<Done> {
  const { outputPortProvisioning } = directory;

  async function create(settings: NewPort): Promise<Done> {
    const domainName = await places.ofNew();
    const what = `in ${domainName}: ${listOf(settings)}`;
    if (!apply) return { state: 'create', detail: `would be created ${what}` };
    const id = await outputPortProvisioning.create({ ...settings, domainName, kind: 'printer' }, caller);
    return { state: 'created', outputPortId: id, detail: `created as output port ${id} ${what}` };
  }

  async function change({ port, place, changes }: Change): Promise<Done> {
    const { id: outputPortId, name: portName, kind = 'printer' } = port;
    const what = `changed: ${differencesOf(port, changes)}`;
    if (!apply) {
      return { state: 'change', outputPortId, detail: `output port ${outputPortId} would be ${what}` };
    }
    if (portName === '')
      throw new CommandFailed(`output port ${outputPortId} has no name. Give it a name in the service`);
    const { address, deviceSerial } = place;
    const identity = { domainName: await places.of(port), portName, kind, address, deviceSerial };
    await outputPortProvisioning.update(outputPortId, { ...identity, ...changes }, caller);
    return { state: 'changed', outputPortId, detail: `output port ${outputPortId} is ${what}` };
  }

  const moved = (port: OutputPort, done: Done): Promise<Done> | Done =>
    move && domain !== undefined
      ? movedTo(domain, { port, done }, { directory, places, apply, caller })
      : done;

  return async (plan) => {
    switch (plan.kind) {
      case 'create':
        return create(plan.settings);
      case 'change':
        return moved(plan.port, await change(plan));
      case 'in-order': {
        const { id: outputPortId } = plan.port;
        const detail = `output port ${outputPortId} is correct`;
        return moved(plan.port, { state: plan.kind, outputPortId, detail });
      }
      case 'left-alone':
        return { state: plan.kind, detail: `left alone: ${plan.why}` };
      default:
        return { state: plan.kind, detail: plan.why };
    }
  };
}

interface Carrying {
  readonly directory: Directory;
  readonly places: Places;
  readonly apply: boolean;
  readonly caller: CallerOptions;
}

/** The changes before the move are told, even if the move fails. */
async function movedTo(
  to: string,
  { port, done }: { readonly port: OutputPort; readonly done: Done },
  { directory, places, apply, caller }: Carrying,
): Promise<Done> {
  const from = await places.ownOf(port);
  if (from === undefined)
    throw new CommandFailed(`${done.detail}; the service does not say in which domain it is`);
  const target = await places.idOf(to);
  if (target === port.parentId) return done;
  if (!apply)
    return { ...done, state: 'change', detail: `${done.detail}; would be moved from ${from} to ${to}` };
  if (target === undefined)
    throw new CommandFailed(
      `${done.detail}; nothing in the service has the domain ${to}. Make a container for it with --container NAME`,
    );
  try {
    await directory.outputPortProvisioning.move(port.id, { from, to }, caller);
  } catch (error) {
    if (!isProblem(error)) throw error;
    throw new CommandFailed(`${done.detail}; not moved: ${error.message}. ${error.advice}`, { cause: error });
  }
  return { ...done, state: 'changed', detail: `${done.detail}; is moved from ${from} to ${to}` };
}

type Change = Extract<PortPlan, { kind: 'change' }>;

const listOf = (settings: object): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

const differencesOf = (port: OutputPort, changes: Partial<PortPlace>): string =>
  Object.entries(changes)
    .map(([name, value]) => `${name} ${port[name as keyof PortPlace] ?? 'none'} -> ${value}`)
    .join(', ');
