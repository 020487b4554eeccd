/**
 * `platen provision`: compares the configured terminals with the service's output ports and tells what is missing or
 * different; with `--apply` it makes and changes ports so. It acts with the login of an administrator, not with the
 * device's authority, and deletes nothing. Which port is whose, and what differs, is `plan.ts`.
 */
import type { Cloud } from '../../cloud/client.ts';
import type { Account, Accounts } from '../../cloud/resources/account.ts';
import { loadConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema/config.ts';
import { printable } from '../../core/log.ts';
import type { OutputPort } from '../../domain/output-port.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { UserToken } from '../../domain/user.ts';
import { askedOnce } from '../check/examination.ts';
import { noteDeed } from '../deed.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import type { NewPort, PortPlace, PortPlan } from './plan.ts';
import { planFor } from './plan.ts';
import type { UserOptions } from '../service-access.ts';
import { atService, loginAs } from '../service-access.ts';

export interface ProvisionOptions extends UserOptions {
  readonly config: string;
  /** Of new ports, and of those whose own the service does not tell; absent: the primary domain of the account. */
  readonly domain?: string;
  readonly apply?: boolean;
  readonly json?: boolean;
}

interface Result {
  readonly terminal: string;
  readonly state: PortPlan['kind'] | 'created' | 'changed' | 'failed';
  readonly outputPortId?: number;
  readonly detail: string;
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

const needsPerson = ({ state }: Result): boolean => state === 'failed' || state === 'unclear';

async function provision(
  cloud: Cloud,
  { config, options, io }: { config: Config; options: ProvisionOptions; io: Io },
): Promise<readonly Result[]> {
  const caller = { signal: io.stop, token: await loginAs(cloud, options, io) };
  const surroundings = {
    ports: await cloud.outputPorts.list(caller),
    terminals: config.terminals,
    description: config.device.description,
  };
  const carryOut = carrierOut(cloud, options, caller);
  const results: Result[] = [];
  try {
    for (const terminal of config.terminals) {
      caller.signal.throwIfAborted();
      const result = await resultOf(terminal.id, carryOut(planFor(terminal, surroundings)));
      if (needsPerson(result)) io.error(`platen: ${lineOf(result)}`);
      else if (!options.json) io.out(lineOf(result));
      results.push(result);
    }
  } finally {
    await noteMade(results, config, io);
  }
  return results;
}

async function noteMade(results: readonly Result[], config: Config, io: Io): Promise<void> {
  const made = results.filter(({ state }) => state === 'created' || state === 'changed');
  const changed = made.map(({ terminal, state }) => `${terminal} ${state}`);
  if (made.length > 0) await noteDeed(config, io, { action: 'provision', changed });
}

type Done = Omit<Result, 'terminal'>;

/** What failed for one terminal is told, and the next one comes. */
async function resultOf(terminal: string, done: Promise<Done>): Promise<Result> {
  try {
    return { terminal, ...(await done) };
  } catch (error) {
    if (error instanceof CommandFailed) return { terminal, state: 'failed', detail: error.message };
    if (!isProblem(error)) throw error;
    const doubt = error.delivery === 'perhaps' ? ' It may be done none the less: run this again to see.' : '';
    return { terminal, state: 'failed', detail: `${error.message}. ${error.advice}${doubt}` };
  }
}

/** Without `--apply` it says what it would do. */
function carrierOut(
  cloud: Cloud,
  { domain, apply }: ProvisionOptions,
  caller: CallerOptions & { token: UserToken },
): (plan: PortPlan) => Promise<Done> {
  const { accounts, outputPortProvisioning } = cloud.directory(caller.token);
  const domains = domainsOf(accounts, { domain, caller });

  async function create(settings: NewPort): Promise<Done> {
    const domainName = await domains.ofNew();
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
      throw new CommandFailed(`output port ${outputPortId} has no name; give it one there`);
    const { address, deviceSerial } = place;
    const identity = { domainName: await domains.of(port), portName, kind, address, deviceSerial };
    await outputPortProvisioning.update(outputPortId, { ...identity, ...changes }, caller);
    return { state: 'changed', outputPortId, detail: `output port ${outputPortId} is ${what}` };
  }

  return async (plan) => {
    switch (plan.kind) {
      case 'create':
        return create(plan.settings);
      case 'change':
        return change(plan);
      case 'in-order': {
        const { id: outputPortId } = plan.port;
        return { state: plan.kind, outputPortId, detail: `output port ${outputPortId} is correct` };
      }
      case 'left-alone':
        return { state: plan.kind, detail: `left alone: ${plan.why}` };
      default:
        return { state: plan.kind, detail: plan.why };
    }
  };
}

type Change = Extract<PortPlan, { kind: 'change' }>;

/** By which domain a port's account or container is named; the service is asked once for all. */
function domainsOf(
  accounts: Accounts,
  { domain, caller }: { readonly domain: string | undefined; readonly caller: CallerOptions },
) {
  const account = askedOnce(() => accounts.read(caller));
  const containers = askedOnce(() => accounts.containers(caller));
  const ofNew = async () => domain ?? primaryOf(await account());
  async function ownOf(parentId: number): Promise<string | undefined> {
    const { id, primaryDomain } = await account();
    if (id === parentId) return primaryDomain;
    return (await containers()).find((one) => one.id === parentId)?.domainNames[0];
  }
  return {
    ofNew,
    of: async ({ parentId }: OutputPort) =>
      (parentId === undefined ? undefined : await ownOf(parentId)) ?? ofNew(),
  };
}

function primaryOf({ name, primaryDomain: domain }: Account): string {
  if (domain === undefined)
    throw new CommandFailed(`the account ${name} has no primary domain; give --domain`);
  return domain;
}

const lineOf = ({ terminal, detail }: Result): string => printable(`${terminal}: ${detail}`);

const listOf = (settings: object): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

const differencesOf = (port: OutputPort, changes: Partial<PortPlace>): string =>
  Object.entries(changes)
    .map(([name, value]) => `${name} ${port[name as keyof PortPlace] ?? 'none'} -> ${value}`)
    .join(', ');
