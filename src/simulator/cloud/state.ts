/**
 * What the simulated cloud knows. In memory, or besides in a JSON file that a restart reads again; the file holds
 * tokens and documents in clear and is for trying things out, not for safe keeping.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type {
  AccountInfo,
  AuthenticationProvider,
  GroupInfo,
  InputPortInfo,
  LocationInfo,
  NamedTerminalConfig,
  ServiceCertificate,
} from './records/account-records.ts';
import type { AccessControl, AuditEvent, AuthorizationCode } from './records/access-records.ts';
import type { BalancePolicy, BalanceTransaction } from './records/balance-records.ts';
import type { PriceList, UserBalance } from './records/prices.ts';
import type { ScanAccess, ScanConnector, ScanWorkflow } from './records/scan-records.ts';
import type { Permission } from './permissions.ts';

/** UserInfo of the spec without its token, and what a login checks. */
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
  /** Opens the account once, in place of the password. */
  oneTimePassword?: string | undefined;
  /** What has to come with the card where anything does; a terminal that asks for no PIN sends the card alone. */
  readonly pin?: string;
  readonly permissions: readonly Permission[];
  /** ISO 8601. */
  readonly createdDate: string;
  readonly isExpired?: boolean;
  /** What is kept of a user and told by no call, by the number of its detail type. */
  readonly details?: Readonly<Record<number, string>>;
  /** An import did not name the user any longer: nobody comes in so. */
  readonly isDeactivated?: boolean;
  readonly groupIds: readonly number[];
}

/** `status` of DocumentInfo. */
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

/** As the spec names and lists the fields. */
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
  /** A userName, and whose: two providers may have users of one name. */
  readonly owner: string;
  readonly providerId: number;
  /** Of an office file the PDF, once it is converted. */
  bytes: Buffer;
  /** An office file that is under way to a PDF: since when it has its status. */
  conversion?: { readonly since: number; readonly ends: DocumentStatus } | undefined;
  /** How often the content was sent whole. */
  fetched: number;
  /** The content was asked for without `retain=true`: its life in the cloud ended there. */
  consumed: boolean;
  /** The output ports the service itself was told to print it at, in order. */
  readonly deliveries: number[];
}

/** As the spec names and lists the fields. */
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
  /** In base64: of Ed25519 its 32 bytes, else SubjectPublicKeyInfo; absent when the client registered without one. */
  readonly publicKey: string | undefined;
  trust: 'waiting' | 'approved' | 'rejected' | 'withdrawn';
  /** Token calls answered `authorization_pending`. */
  polls: number;
}

interface DeviceCode {
  readonly code: string;
  readonly clientId: string;
  readonly expiresAt: number;
}

/** All tokens that came from one login or one device code share a family (RFC 9700 section 4.14.2). */
export interface AccessToken {
  readonly value: string;
  readonly family: string;
  readonly kind: 'device' | 'user';
  /** The client's id, or the user's. */
  readonly holder: string | number;
  readonly expiresAt: number;
  /** Of the login, which every call with the token has to bring (spec, Authentication 3). */
  readonly apiKey?: string | undefined;
}

export interface RefreshToken extends AccessToken {
  /** Wall time of its one use. */
  spentAt: number | undefined;
  /** The answer to its one use did not reach the client: one more use is the recovery try (INVARIANTS.md B.2). */
  mayRecover: boolean;
  /** Another token of its family was used twice. */
  revoked: boolean;
}

/** A job that was recorded: by `POST /documents/history`, or by the service for what it let out itself. */
export interface HistoryEntry {
  readonly uuid: string;
  /** Wall time of the recording. */
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
  /** That each of the lists below has had, by its name. */
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
  /** Whether their ids were read since the last delete. */
  accessControlsSeen: boolean;
  balancePolicies: BalancePolicy[];
  scanConnectors: ScanConnector[];
  scanWorkflows: ScanWorkflow[];
  scanAccess: ScanAccess[];
  balances: UserBalance[];
  balanceTransactions: BalanceTransaction[];
  /** Absent: balance is off. */
  priceList: PriceList | undefined;
  /** Those that were set last, for when balance is on again. */
  idlePrices: PriceList | undefined;
  /** Milliseconds by which its clock is before that of the machine. */
  clockAhead?: number;
}

/** Grows when an older file would not do any longer. */
const format = 5;

/** What the file holds, or the seed where there is none yet. Throws `RangeError` where it holds something else. */
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
 * Whole or not at all: written beside and renamed. `mine`: what the save before returned; throws where the file is
 * another one meanwhile, which somebody else keeps a state in.
 */
export function saveState(file: string, state: CloudState, mine?: string): string {
  if (mine !== undefined && existsSync(file) && identityOf(file) !== mine) {
    throw new RangeError(`${file} is no longer what was saved last: another program keeps its state there`);
  }
  const documents = state.documents.map((one) => ({ ...one, bytes: one.bytes.toString('base64') }));
  const saved: SavedState = { ...state, documents, format };
  const beside = `${file}.new`;
  // What was left there, and may be a link or open to others, is not written into.
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
