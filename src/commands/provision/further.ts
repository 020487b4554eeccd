/**
 * `platen provision` also makes the container of the output ports, and a terminal config for ports that have none. The
 * service would make another one at each request, so each is searched first.
 */
import type { Cloud } from '../../cloud/client.ts';
import type { Directory } from '../../cloud/directory.ts';
import type { TerminalConfig } from '../../config/schema/config.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { Places } from './places.ts';
import { primaryOf } from './places.ts';
import type { Done, Result } from './result.ts';

interface Making {
  readonly directory: Directory;
  readonly places: Places;
  readonly apply: boolean;
  readonly caller: CallerOptions;
}

/** A container with this name and this domain. */
export async function provideContainer(
  { name, domain }: { readonly name: string; readonly domain: string },
  { directory, places, apply, caller }: Making,
): Promise<Done> {
  const named = (await places.containers()).find((one) => one.name === name);
  const holder = await places.idOf(domain);
  if (named && named.id === holder) return { state: 'in-order', detail: `${name} has the domain ${domain}` };
  if (named) {
    const domains = named.domainNames.join(', ') || 'none';
    return {
      state: 'unclear',
      detail: `${name} exists already, but with the domains ${domains}, not ${domain}`,
    };
  }
  if (holder !== undefined) {
    return {
      state: 'unclear',
      detail: `${domain} is already the domain of the object with the id ${holder}`,
    };
  }
  const parentDomain = primaryOf(await places.account());
  const what = `${name} in ${parentDomain}, with the domain ${domain}`;
  if (!apply) return { state: 'create', detail: `would be created: ${what}` };
  const id = await directory.containers.create({ parentDomain, name, domainName: domain }, caller);
  return { state: 'created', detail: `created with the id ${id}: ${what}` };
}

/** One config for all terminals that have, or would have, an output port without a config. */
export async function provideTerminalConfig(
  { name, vendor }: { readonly name: string; readonly vendor: string },
  {
    cloud,
    terminals,
    results,
    ...making
  }: Making & {
    readonly cloud: Cloud;
    readonly terminals: readonly TerminalConfig[];
    readonly results: readonly Result[];
  },
): Promise<Done> {
  const { directory, places, apply, caller } = making;
  const lacking: Result[] = [];
  for (const result of results) {
    const terminal = terminals.find(({ id }) => id === result.terminal);
    if (!terminal || (result.state !== 'create' && result.outputPortId === undefined)) continue;
    // Only a device may read it (spec, Terminal config).
    const { signal } = caller;
    if (!(await cloud.terminalConfigs.read(terminal.serialNumber, { signal }))) lacking.push(result);
  }
  if (lacking.length === 0) return { state: 'in-order', detail: 'every output port has one' };
  const what = `${name}, for ${lacking.map(({ terminal }) => terminal).join(', ')}`;
  if (!apply) return { state: 'create', detail: `would be created: ${what}` };
  const devices = lacking.flatMap(({ outputPortId }) => outputPortId ?? []);
  const config = { domainName: await places.ofNew(), name, vendor, devices };
  const id = await directory.createTerminalConfig(config, caller);
  return { state: 'created', detail: `created${id === undefined ? '' : ` with the id ${id}`}: ${what}` };
}
