/** What every part of the simulated cloud works with. */
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
  /** Of the addresses that answers name. */
  readonly scheme: 'http' | 'https';
  tell(sentence: string): void;
  /** A deviation that the service would not refuse. */
  note(call: Pick<Call, 'method' | 'path'>, what: string, section: string): void;
  /** Acts after the wait, unless the cloud is closed before. */
  later(wait: Duration, act: () => void): void;
}

/** A port may have no serial number, which is nobody's. */
export const portBySerial = (state: CloudState, serial = ''): OutputPortInfo | undefined =>
  serial === '' ? undefined : state.outputPorts.find((one) => one.deviceSerial === serial);

/** The port a document is sent to (spec, POST /documents/<uuid>/<address or SN>). */
export const portBySerialOrAddress = (state: CloudState, name: string): OutputPortInfo | undefined =>
  portBySerial(state, name) ?? state.outputPorts.find((one) => one.address === name);

export const isOf = (
  { owner, providerId }: CloudDocument,
  user: Pick<CloudUser, 'userName' | 'providerId'>,
): boolean => owner === user.userName && providerId === user.providerId;

export const accountOf = (state: Pick<CloudState, 'accounts'>, domain: string) =>
  state.accounts.find((one) => one.domainNames.includes(domain.toLowerCase()));

/**
 * The account that a call is about: that of the domain it names, else of the request address. An address that is no
 * domain name, as every loopback one or a name of containers (`cloud`), is the first customer's.
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

/** Without the port; IPv6 stands in brackets. */
const hostIn = (header: string): string =>
  header
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();

const isNoDomain = (host: string): boolean =>
  !host.includes('.') || isIP(host) !== 0 || host.endsWith('.localhost');
