/** The context that every part of the simulated cloud shares. */
import { isIP } from 'node:net';
import type { Duration } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { Call } from './call.ts';
import type { CloudSettings } from './settings.ts';
import type { CloudDocument, CloudState, CloudUser, OutputPortInfo } from './state.ts';
import type { Tokens } from './tokens.ts';

export interface CloudContext extends Pick<Env, 'clock' | 'chance'> {
  readonly state: CloudState;
  readonly settings: CloudSettings;
  readonly tokens: Tokens;
  /** The scheme of addresses in answers. */
  readonly scheme: 'http' | 'https';
  tell(sentence: string): void;
  /** Notes a deviation that the service would not refuse. */
  note(call: Pick<Call, 'method' | 'path'>, what: string, section: string): void;
  /** Acts after the wait, unless the cloud is closed before. */
  later(wait: Duration, act: () => void): void;
}

/** A port without a serial number is never found by serial number. */
export const portBySerial = (state: CloudState, serial = ''): OutputPortInfo | undefined =>
  serial === '' ? undefined : state.outputPorts.find((one) => one.deviceSerial === serial);

/** The port to which a document is sent (spec, POST /documents/<uuid>/<address or SN>). */
export const portBySerialOrAddress = (state: CloudState, name: string): OutputPortInfo | undefined =>
  portBySerial(state, name) ?? state.outputPorts.find((one) => one.address === name);

export const isOf = (
  { owner, providerId }: CloudDocument,
  user: Pick<CloudUser, 'userName' | 'providerId'>,
): boolean => owner === user.userName && providerId === user.providerId;

export const accountOf = (state: Pick<CloudState, 'accounts'>, domain: string) =>
  state.accounts.find((one) => one.domainNames.includes(domain.toLowerCase()));

/**
 * The account of a call: by the domain that it names, otherwise by the request address. If the address is not a domain
 * name, for example loopback or a container name (`cloud`), it is the first customer's account.
 */
export function accountAskedFor(
  { accounts }: Pick<CloudState, 'accounts'>,
  { headers }: Pick<Call, 'headers'>,
  domain?: string,
) {
  const host = hostIn(headers.host ?? '');
  const asked = domain ?? host;
  const found = accountOf({ accounts }, asked);
  if (found || domain !== undefined || !isNoDomain(host)) return found;
  return accounts.find(({ accountType }) => accountType === customer) ?? accounts[0];
}

const customer = 2;

/** Without the port and without the brackets of IPv6. */
const hostIn = (header: string): string =>
  header
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();

const isNoDomain = (host: string): boolean =>
  !host.includes('.') || isIP(host) !== 0 || host.endsWith('.localhost');
