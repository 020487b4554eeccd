/** What every part of the simulated cloud works with. */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { Call } from './call.ts';
import type { CloudSettings } from './settings.ts';
import type { CloudDocument, CloudState, CloudUser, OutputPortInfo } from './state.ts';
import type { Tokens } from './tokens.ts';

export interface CloudContext {
  readonly state: CloudState;
  readonly settings: CloudSettings;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly chance: Chance;
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

/** The account with this domain; without one, that of the request address: there is one such account here. */
export const accountOf = (state: CloudState, domain: string | undefined) =>
  domain === undefined
    ? state.accounts[0]
    : state.accounts.find((one) => one.domainNames.includes(domain.toLowerCase()));
