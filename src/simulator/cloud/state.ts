/**
 * The state of the simulated cloud: in memory, and optionally in a JSON file that a restart reads. The file contains
 * tokens and documents in clear text. It is for trials, not for safe storage.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type {
  AccessControl,
  AccountInfo,
  AuditEvent,
  AuthenticationProvider,
  AuthorizationCode,
  GroupInfo,
  InputPortInfo,
  LocationInfo,
  NamedTerminalConfig,
  ServiceCertificate,
} from './records/account-records.ts';
import type { BalancePolicy, BalanceTransaction, PriceList, UserBalance } from './records/balance-records.ts';
import type { ScanAccess, ScanConnector, ScanWorkflow } from './records/scan-records.ts';
import type { Permission } from './permissions.ts';

/** UserInfo of the spec without its token, and the values that a login checks. */
export interface CloudUser {
  readonly id: number;
  readonly providerId: number;
  readonly accountId: number;
  readonly userName: string;
  readonly fullName: string;
  readonly email: string;
  readonly department: string;
  readonly shortId: string;
  readonly cards: string[];
  readonly password: string;
  /** Works once instead of the password. */
  oneTimePassword?: string | undefined;
  /** Must come with the card if the terminal sends a PIN. A terminal that asks for no PIN sends only the card. */
  readonly pin?: string;
  readonly permissions: readonly Permission[];
  /** ISO 8601. */
  readonly createdDate: string;
  readonly isExpired?: boolean;
  /** Stored details that no call reports, by the number of their type. */
  readonly details?: Readonly<Record<number, string>>;
  /** The latest import did not contain the user, so the user cannot sign in. */
  readonly isDeactivated?: boolean;
  readonly groupIds: readonly number[];
}

/** The `status` of DocumentInfo. */
export const documentStatus = {
  READY: 0,
  PRINTED: 1,
  DELETED: 2,
  EXPIRED: 3,
  FAILED: 4,
  RECEIVED: 5,
  AWAITING_CONVERSION: 6,
  CONVERTING: 7,
  CONVERSION_FAILED: 8,
  STORED: 9,
} as const;
export type DocumentStatus = (typeof documentStatus)[keyof typeof documentStatus];
type StatusName = keyof typeof documentStatus;
export const documentStatuses = Object.keys(documentStatus) as readonly string[] as readonly StatusName[];

/** The fields have the names and order of the spec. */
export interface DocumentInfo {
  readonly uuid: string;
  readonly documentName: string;
  readonly documentType: number;
  readonly userName: string;
  readonly totalPages: number;
  readonly colorPages: number;
  readonly duplex: number;
  readonly copies: number;
  readonly grayscale: boolean;
  readonly paperSize: string;
  /** Milliseconds since 1970. */
  readonly dateTime: number;
  readonly storageOnline: boolean;
  readonly secure: boolean;
  readonly tags: readonly { readonly tagType: number; readonly name: string }[];
  readonly collate: boolean;
  readonly status: DocumentStatus;
  readonly outputPortId: number;
  readonly outputPortName: string;
  readonly jobType: JobType;
}

export const jobTypes = ['PRINT', 'COPY', 'SCAN', 'FAX'] as const;
export type JobType = (typeof jobTypes)[number];

export interface CloudDocument {
  info: DocumentInfo;
  /** The userName of the owner. `providerId` is needed too, because two providers may have users of the same name. */
  readonly owner: string;
  readonly providerId: number;
  /** For an office file, this is the PDF after the conversion. */
  bytes: Buffer;
  /** Set while an office file is being converted. `since` is the time of its current status. */
  conversion?: { readonly since: number; readonly ends: DocumentStatus } | undefined;
  /** How often the complete content was sent. */
  fetched: number;
  /** The content was requested without `retain=true`, so the document ended there. */
  consumed: boolean;
  /** The output ports at which the service was told to print it, in order. */
  readonly deliveries: number[];
}

/** The fields have the names and order of the spec. */
export interface OutputPortInfo {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly portType: number;
  readonly vendor: string;
  readonly logoutTimeout: number;
  readonly autoRelease: boolean;
  readonly embedded: boolean;
  readonly monochrome: boolean;
  readonly trimCardId: boolean;
  readonly description: string;
  readonly embeddedConfigurationId: number;
  readonly printProtocol: number;
  readonly modelFamily: number;
  readonly outputType: number;
  readonly services: Readonly<Record<string, readonly number[]>>;
  readonly deviceSerial: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly containerName: string;
  readonly accountId: number;
  readonly parentAccountOrContainerId: number;
  readonly decimalFormatForCardIds: boolean;
  readonly isReverseFinisher: boolean;
  readonly printerIppUrl: string;
  readonly ipReaderAddress: string;
  readonly softwareCopyCollation: boolean;
  readonly sendUsername: boolean;
  readonly registrationSource: 'manual' | 'autodiscovery';
  readonly active: boolean;
  readonly groupNo: string;
  readonly terminalInfo: { readonly deployStatus?: unknown; readonly terminalStatus?: unknown };
}

/** A registered client (src/cloud/README.md 1). */
export interface Endpoint {
  readonly clientId: string;
  readonly clientType: string;
  readonly description: string;
  /**
   * In base64: the 32 bytes of an Ed25519 key, otherwise SubjectPublicKeyInfo. Absent if the client registered without
   * a key.
   */
  readonly publicKey: string | undefined;
  trust: 'waiting' | 'approved' | 'rejected' | 'withdrawn';
  /** The number of token calls that were answered `authorization_pending`. */
  polls: number;
}

interface DeviceCode {
  readonly code: string;
  readonly clientId: string;
  readonly expiresAt: number;
}

/** All tokens from the same login or device code share a family (RFC 9700 section 4.14.2). */
export interface AccessToken {
  readonly value: string;
  readonly family: string;
  readonly kind: 'device' | 'user';
  /** The id of the client or of the user. */
  readonly holder: string | number;
  readonly expiresAt: number;
  /** The API key of the login. Every call with the token must bring it (spec, Authentication 3). */
  readonly apiKey?: string | undefined;
}

export interface RefreshToken extends AccessToken {
  /** Wall time of its only use. */
  spentAt: number | undefined;
  /**
   * The answer to its use did not reach the client, so one more use is allowed as a recovery try (INVARIANTS.md B.2).
   */
  mayRecover: boolean;
  /** Another token of its family was used twice. */
  revoked: boolean;
}

/** A recorded job: by `POST /documents/history`, or by the service for its own releases. */
export interface HistoryEntry {
  readonly uuid: string;
  /** Wall time of the record. */
  readonly at: number;
  readonly jobType: JobType;
  readonly userName: string;
  readonly providerId: number;
  readonly title: string | undefined;
  readonly totalPages: number | undefined;
  readonly colorPages: number | undefined;
  readonly paperSize: string | undefined;
  /** 0 simplex, 1 long edge, 2 short edge. */
  readonly duplex: number;
  readonly serialNumber: string | undefined;
  readonly address: string | undefined;
  readonly outputPortId: number | undefined;
  readonly dateTime: string | undefined;
  readonly recordedWith: 'device' | 'user' | 'service';
}

interface StatusReport {
  readonly outputPortId: number;
  readonly at: number;
  readonly terminalInfo: OutputPortInfo['terminalInfo'];
}

export interface CloudState {
  /** The highest id so far in each of the lists below, by the name of the list. */
  highestIds: Readonly<Record<string, number>>;
  users: CloudUser[];
  documents: CloudDocument[];
  outputPorts: OutputPortInfo[];
  endpoints: Endpoint[];
  deviceCodes: DeviceCode[];
  authorizationCodes: AuthorizationCode[];
  accessTokens: AccessToken[];
  refreshTokens: RefreshToken[];
  history: HistoryEntry[];
  statusReports: StatusReport[];
  accounts: AccountInfo[];
  inputPorts: InputPortInfo[];
  groups: GroupInfo[];
  authProviders: AuthenticationProvider[];
  locations: LocationInfo[];
  terminalConfigs: NamedTerminalConfig[];
  certificates: ServiceCertificate[];
  auditEvents: AuditEvent[];
  accessControls: AccessControl[];
  /** Whether the ids were read since the last delete. */
  accessControlsSeen: boolean;
  balancePolicies: BalancePolicy[];
  scanConnectors: ScanConnector[];
  scanWorkflows: ScanWorkflow[];
  scanAccess: ScanAccess[];
  balances: UserBalance[];
  balanceTransactions: BalanceTransaction[];
  /** Absent: balance is off. */
  priceList: PriceList | undefined;
  /** The latest prices, for the time when balance is on again. */
  idlePrices: PriceList | undefined;
  /** The milliseconds by which its clock is ahead of the machine's clock. */
  clockAhead?: number;
}

/** Raised when older files can no longer be read. */
const format = 5;

/**
 * Gives the state in the file, or the seed if the file does not exist. Throws `RangeError` if the file has other
 * content.
 */
export function loadState(file: string | undefined, seed: () => CloudState): CloudState {
  if (file === undefined || !existsSync(file)) return seed();
  const what = `${file} is no state of a simulated cloud`;
  if (!statSync(file).isFile()) throw new RangeError(`${what}: no file; name one`);
  const { format: found, ...saved } = savedIn(file, what);
  if (found !== format) {
    throw new RangeError(
      `${file} is the state of another version of the simulated cloud; begin with a new file`,
    );
  }
  const lists = Object.entries(seed()).filter(([, value]) => Array.isArray(value));
  const [missing] = lists.find(([name]) => !Array.isArray(saved[name as keyof typeof saved])) ?? [];
  if (missing !== undefined) throw new RangeError(`${what}: ${missing} is missing; begin with a new file`);
  const documents = saved.documents.map((one) => ({ ...one, bytes: Buffer.from(one.bytes, 'base64') }));
  return { ...saved, documents, priceList: saved.priceList, idlePrices: saved.idlePrices };
}

function savedIn(file: string, what: string): SavedState {
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as SavedState | null;
    if (saved !== null) return saved;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new RangeError(`${what}: ${cause.message}; begin with a new file`, { cause });
  }
  throw new RangeError(`${what}; begin with a new file`);
}

/**
 * Saves atomically: writes a new file beside the old one and renames it. `mine` is the result of the previous save.
 * Throws if the file was replaced meanwhile, because another program keeps its state there.
 */
export function saveState(file: string, state: CloudState, mine?: string): string {
  if (mine !== undefined && existsSync(file) && identityOf(file) !== mine) {
    throw new RangeError(`${file} is no longer what was saved last: another program keeps its state there`);
  }
  const documents = state.documents.map((one) => ({ ...one, bytes: one.bytes.toString('base64') }));
  const saved: SavedState = { ...state, documents, format };
  const beside = `${file}.new`;
  // An old file there may be a link or readable by others, so it is removed first.
  rmSync(beside, { force: true });
  writeFileSync(beside, JSON.stringify(saved), { mode: 0o600, flag: 'wx' });
  const identity = identityOf(beside);
  renameSync(beside, file);
  return identity;
}

function identityOf(file: string): string {
  const { ino, mtimeMs } = statSync(file);
  return `${ino} ${mtimeMs}`;
}

type SavedState = Omit<CloudState, 'documents'> & {
  format: number;
  documents: (Omit<CloudDocument, 'bytes'> & { bytes: string })[];
};
