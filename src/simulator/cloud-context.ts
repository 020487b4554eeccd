/** What every part of the simulated cloud works with. */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import type { Call } from './cloud-call.ts';
import type { CloudState, OutputPortInfo } from './cloud-state.ts';
import type { Tokens } from './cloud-tokens.ts';

/** Who lets a new registration in: a person, nobody needs to, or a person after so many polls. */
export type Approval = 'by-hand' | 'at-once' | { readonly afterPolls: number };

/** BalanceCheckInfo of the spec: the answer to every balance check. */
export interface BalanceCheckInfo {
  readonly balanceEnabled: boolean;
  readonly sufficientBalance: boolean;
  readonly currentBalance: number;
  readonly calculatedCost: number;
}

export interface CloudSettings {
  readonly apiKey: string;
  readonly approval: Approval;
  /** Lists of elements whose envelope the spec leaves open: as they are, or as a PagedResult. */
  readonly listShape: 'bare' | 'paged';
  /** Whether `GET /outputports` takes a device token or refuses it with 403. */
  readonly outputPortsFor: 'devices-and-users' | 'users';
  readonly deviceCodeLife: Duration;
  /** How long after its use a refresh token may be used once more; 0: never. */
  readonly refreshGrace: Duration;
  balance: BalanceCheckInfo;
}

export interface CloudContext {
  readonly state: CloudState;
  readonly settings: CloudSettings;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly chance: Chance;
  tell(sentence: string): void;
  /** A deviation that the service would not refuse. */
  note(call: Call, what: string, section: string): void;
}

/** A list in the envelope the settings ask for. */
export const listed = <T>(items: readonly T[], shape: CloudSettings['listShape']) =>
  shape === 'bare' ? items : { items, recordsOnPage: items.length };

export const portBySerial = (state: CloudState, serial: string | undefined): OutputPortInfo | undefined =>
  serial === undefined ? undefined : state.outputPorts.find((one) => one.deviceSerial === serial);
