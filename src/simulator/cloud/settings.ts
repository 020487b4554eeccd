/**
 * The settings of a simulated cloud: its keys, the settings of the table, and values that a test sets while it runs.
 */
import type { Duration } from '../../core/duration.ts';
import type { keyAllowances } from './permissions.ts';
import type { TableSettings } from './settings-table.ts';
import { settingsTable } from './settings-table.ts';

/** How a new registration is approved: by a person, at once, or after so many polls. */
export type Approval = 'by-hand' | 'at-once' | { readonly afterPolls: number };

/** BalanceCheckInfo of the spec. */
export interface BalanceCheckInfo {
  readonly balanceEnabled: boolean;
  readonly sufficientBalance: boolean;
  readonly currentBalance: number;
  readonly calculatedCost: number;
}

/** How the service prints at one port. */
export interface Delivery {
  /** `not-ready`: errorCode 1042. */
  readonly printer: 'ready' | 'not-ready';
  /** The time between the call that releases the document and its end. */
  readonly after: Duration;
  /** The end of the document. */
  readonly ends: 'printed' | 'failed' | 'never';
}

export type KeyAllowance = (typeof keyAllowances)[number];

/** The settings of the table. Their lists are read-only. */
type Chosen = {
  readonly [Name in keyof TableSettings]: Kept<TableSettings[Name]>;
};
type Kept<Value> = Value extends (infer One)[] ? readonly One[] : Value;

export interface CloudSettings extends Chosen {
  readonly apiKey: string;
  /** More keys that are accepted. */
  readonly furtherKeys: readonly string[];
  readonly approval: Approval;
  /** The extra permissions of API keys; none by default. */
  readonly keyAllows: readonly KeyAllowance[];
  /** The answer to every balance check. Absent: the price list decides. */
  balance: BalanceCheckInfo | undefined;
  /** By the id of the output port. */
  readonly deliveries: Map<number, Delivery>;
}

/** The settings that a caller may choose. Each has a default. */
export type ChosenSettings = Partial<Omit<CloudSettings, 'balance' | 'deliveries'>>;

/** The chosen settings, with defaults for the others. */
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
