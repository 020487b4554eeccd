/** What can be set of a simulated cloud: its keys, the settings of the table, and what a test sets while it runs. */
import type { Duration } from '../../core/duration.ts';
import type { keyAllowances } from './permissions.ts';
import type { TableSettings } from './settings-table.ts';
import { settingsTable } from './settings-table.ts';

/** Who lets a new registration in: a person, nobody needs to, or a person after so many polls. */
export type Approval = 'by-hand' | 'at-once' | { readonly afterPolls: number };

/** BalanceCheckInfo of the spec. */
export interface BalanceCheckInfo {
  readonly balanceEnabled: boolean;
  readonly sufficientBalance: boolean;
  readonly currentBalance: number;
  readonly calculatedCost: number;
}

/** How the service itself prints at one port. */
export interface Delivery {
  /** `not-ready`: errorCode 1042. */
  readonly printer: 'ready' | 'not-ready';
  /** How long the document stays as it is after the call that releases it. */
  readonly after: Duration;
  /** What becomes of it then. */
  readonly ends: 'printed' | 'failed' | 'never';
}

export type KeyAllowance = (typeof keyAllowances)[number];

/** Those of the table, whose lists nobody changes in place. */
type Chosen = {
  readonly [Name in keyof TableSettings]: Kept<TableSettings[Name]>;
};
type Kept<Value> = Value extends (infer One)[] ? readonly One[] : Value;

export interface CloudSettings extends Chosen {
  readonly apiKey: string;
  /** Those that are taken besides. */
  readonly furtherKeys: readonly string[];
  readonly approval: Approval;
  /** What each API key allows; nothing unless said otherwise. */
  readonly keyAllows: readonly KeyAllowance[];
  /** The answer to every balance check; absent: what the price list says. */
  balance: BalanceCheckInfo | undefined;
  /** By the id of the output port. */
  readonly deliveries: Map<number, Delivery>;
}

/** Those a caller may choose, each with a default. */
export type ChosenSettings = Partial<Omit<CloudSettings, 'balance' | 'deliveries'>>;

/** Those chosen, and for the others their defaults. */
export function settingsOf(chosen: ChosenSettings): CloudSettings {
  const usual = {
    apiKey: 'sample-api-key',
    furtherKeys: [],
    approval: 'by-hand',
    keyAllows: [],
    ...settingsTable.parse({}),
  } as const;
  const given = Object.entries(chosen).filter(
    ([name, value]) => Object.hasOwn(usual, name) && value !== undefined,
  );
  return { ...usual, ...Object.fromEntries(given), balance: undefined, deliveries: new Map() };
}

export const keysOf = ({ apiKey, furtherKeys }: CloudSettings): readonly string[] => [apiKey, ...furtherKeys];
