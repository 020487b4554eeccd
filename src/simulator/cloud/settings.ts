/** What can be set of a simulated cloud when it starts: where the spec leaves a choice, and where tests need one. */
import type { Duration } from '../../core/duration.ts';
import { hours, milliseconds } from '../../core/duration.ts';
import type { ConnectorType } from './records/scan-records.ts';
import type { Permission } from './permissions.ts';

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

/** Switches of an API key (src/cloud/README.md 5). */
export const keyAllowances = ['unauthenticated-requests', 'untrusted-endpoints'] as const;
export type KeyAllowance = (typeof keyAllowances)[number];

export interface CloudSettings {
  readonly apiKey: string;
  /** Those that are taken besides. */
  readonly furtherKeys: readonly string[];
  readonly approval: Approval;
  /** What each API key allows; nothing unless said otherwise. */
  readonly keyAllows: readonly KeyAllowance[];
  /** The advanced permissions of each API key: calls that are not free of them need theirs among these (spec, Authentication 2). */
  readonly advancedPermissions: 'all' | 'none' | readonly Permission[];
  /** What whoever is made by a call may do: nothing, or what people may who print. */
  readonly newcomers: 'nothing' | 'everyday';
  readonly role: 'primary' | 'secondary' | 'gateway';
  /** Lists whose envelope the spec leaves open: as they are, or as a PagedResult. */
  readonly listShape: 'bare' | 'paged';
  /** Where the spec sets no limit: how many elements one page of a PagedResult holds. */
  readonly pageSize: number;
  /**
   * What a user's permission guards and a device token reads all the same: what a terminal needs, and the rest is answered
   * and noted (`terminals`) or refused and noted (`terminals-only`); everything; or nothing.
   */
  readonly readsFor: 'terminals' | 'terminals-only' | 'devices-and-users' | 'users';
  /** How several values of `status` are taken: as one value or as many (src/cloud/README.md 12, row 46), or as many only. */
  readonly statusLists: 'either' | 'repeated';
  /** Whether `GET /version` is answered to who has the API key alone (spec, Authentication 3). */
  readonly versionFor: 'keys' | 'tokens';
  /** Whether the content of a document is given in parts, and what names its bytes (RFC 9110 section 8.8). */
  readonly parts: 'by-etag' | 'by-date' | 'none';
  /** Whether a registration is told a code for the administrator to type (RFC 8628, 3.3); the spec lists none. */
  readonly userCodes: 'given' | 'none';
  /** Whether the OAuth side takes the older form of a call as well: by GET, its fields and what is signed in the query. */
  readonly oauthForms: 'both' | 'newer';
  readonly deviceCodeLife: Duration;
  /** How long after its use a refresh token may be used once more; 0: never. */
  readonly refreshGrace: Duration;
  /** Whether the account may use balances at all; without, every call about them but the check says 405. */
  readonly balances: 'offered' | 'missing';
  /** A record of a day or a port that does not exist, or of somebody else than the token's user: refused, or kept. Noted either way. */
  readonly wrongRecords: 'refused' | 'kept';
  /** Whether recording a job takes its cost off the user's balance. */
  readonly charging: 'nothing' | 'history';
  /** Scan connectors, workflows and access are unavailable for some accounts (spec, What the service does). */
  readonly scanning: 'shown' | 'hidden';
  /** The types of connector that this account may not make. */
  readonly hiddenConnectors: readonly ConnectorType[];
  /** The answer to every balance check; absent: what the price list says. */
  balance: BalanceCheckInfo | undefined;
  /** By the id of the output port. */
  readonly deliveries: Map<number, Delivery>;
}

/** Those a caller may choose, each with a default. */
export type ChosenSettings = Partial<Omit<CloudSettings, 'balance' | 'deliveries'>>;

export const settingsOf = (chosen: ChosenSettings): CloudSettings => ({
  apiKey: chosen.apiKey ?? 'sample-api-key',
  furtherKeys: chosen.furtherKeys ?? [],
  approval: chosen.approval ?? 'by-hand',
  keyAllows: chosen.keyAllows ?? [],
  advancedPermissions: chosen.advancedPermissions ?? 'all',
  newcomers: chosen.newcomers ?? 'nothing',
  role: chosen.role ?? 'primary',
  listShape: chosen.listShape ?? 'bare',
  pageSize: chosen.pageSize ?? 50,
  readsFor: chosen.readsFor ?? 'terminals',
  statusLists: chosen.statusLists ?? 'either',
  versionFor: chosen.versionFor ?? 'keys',
  parts: chosen.parts ?? 'by-etag',
  userCodes: chosen.userCodes ?? 'none',
  oauthForms: chosen.oauthForms ?? 'both',
  deviceCodeLife: chosen.deviceCodeLife ?? hours(72),
  refreshGrace: chosen.refreshGrace ?? milliseconds(0),
  balances: chosen.balances ?? 'offered',
  wrongRecords: chosen.wrongRecords ?? 'refused',
  charging: chosen.charging ?? 'nothing',
  scanning: chosen.scanning ?? 'shown',
  hiddenConnectors: chosen.hiddenConnectors ?? [],
  balance: undefined,
  deliveries: new Map(),
});

export const keysOf = ({ apiKey, furtherKeys }: CloudSettings): readonly string[] => [apiKey, ...furtherKeys];
