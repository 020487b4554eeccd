/** The public API of the service as the rest of Platen meets it: one port per resource, in the words of the trade. */
import type { Readable } from 'node:stream';
import type { Clearance, OwnBalance, Quote } from '../balance.ts';
import type { CardNumber } from '../card/card-number.ts';
import type { Change } from '../document-changes.ts';
import type { Document, DocumentStatus } from '../document.ts';
import type { HistoryRecord } from '../history.ts';
import type { OutputPort, SoughtPort } from '../output-port.ts';
import type { Ticket } from '../release.ts';
import type { TerminalConfig } from '../terminal/terminal-config.ts';
import type { TerminalInfo } from '../terminal/terminal-info.ts';
import type { Credentials, Login, User, UserToken } from '../user.ts';
import type { CallerOptions, CallOptions } from './call.ts';

export interface Logins {
  /** `POST /login` with the device token. Rejects `login-refused` on 401 and 404. A password is sent once only. */
  login(credentials: Credentials, options: CallOptions): Promise<Login>;
}

/** A download under way. If `bytes` ends without an error, the download is complete. */
export interface Download {
  /** The length of the whole document, if the service told it. */
  readonly length: number | undefined;
  /** The offset at which `bytes` begins; 0 if absent. */
  readonly from?: number;
  /** Names exactly these bytes; absent if the service has no such name (RFC 9110 section 8.8). */
  readonly validator?: string;
  readonly bytes: Readable;
}

/** Asks for the rest of a document, if it still has the bytes that the validator names. */
export interface Rest {
  readonly from: number;
  readonly validator: string;
}

export interface ReadyDocuments {
  /** At most 500. */
  readonly documents: readonly Document[];
  /** The list was full, so there may be more documents. */
  readonly mayBeMore: boolean;
  /** The number of documents with another user's name, or this user's in another spelling. They are left out. */
  readonly underOtherName: number;
}

/** `inBackground`: no person waits for it, so it is asked once, and after calls that a person waits for. */
export interface ListOptions extends CallOptions {
  readonly inBackground?: boolean;
}

export interface Documents {
  /** READY documents of the token's user; unusable entries are left out and logged. */
  ready(token: UserToken, options: ListOptions): Promise<ReadyDocuments>;
  /**
   * The document is still READY: by the last look at the list of this token or, if that is older than 2 s, by a new
   * one. Rejects `document-not-waiting` if it is not; any other problem means that the look failed.
   */
  requireReady(uuid: string, token: UserToken, options: CallOptions): Promise<void>;
  /**
   * `GET …content?retain=true`: the document stays in the cloud (D6). With `rest` it is the remaining part, or the
   * whole document if the service gives no parts or has other bytes now (RFC 9110 section 13.1.5).
   */
  download(
    uuid: string,
    token: UserToken,
    options: CallOptions & { readonly rest?: Rest | undefined },
  ): Promise<Download>;
  /** Also resolves if the document is gone already. */
  remove(uuid: string, token: UserToken, options: CallOptions): Promise<void>;
  /**
   * `GET …content?retain=false`, and the bytes are thrown away. The service then counts the document as released with
   * these changes. Also resolves if it is gone already.
   */
  consume(
    uuid: string,
    token: UserToken,
    options: CallOptions & { readonly changed?: Change | undefined },
  ): Promise<void>;
  /**
   * `POST …/<port>`, sent once: the service prints the document with these changes, at its output port of this serial
   * number. Resolves when the service took it on. Delivery `answered` or `not-sent`: it definitely did not, with
   * `printer-not-ready` for its error 1042. Delivery `perhaps`: it may have.
   */
  deliver(
    uuid: string,
    to: { readonly port: string; readonly retain: boolean; readonly changed?: Change | undefined },
    token: UserToken,
    options: CallOptions,
  ): Promise<void>;
  /** `undefined` if it is in none of the service's lists. */
  statusOf(uuid: string, token: UserToken, options: CallOptions): Promise<DocumentStatus | undefined>;
}

/** The subject of a balance check. */
export type Chargeable = Pick<Ticket, 'document' | 'user' | 'token' | 'monochrome'>;

/** Checks and quotes of one user are sent one after the other. */
export interface Balance {
  /** Resolves when the document may be printed; rejects `balance-insufficient` or `balance-unknown`. */
  check(wanted: Chargeable, options: CallOptions): Promise<Clearance>;
  /** For showing only; `undefined` if prints are not charged or the service does not say. */
  quote(wanted: Chargeable, options: CallOptions): Promise<Quote | undefined>;
  /** `GET /balance`; `undefined` if there is none, or this user may not see it (403, 404, 405). */
  own(login: Login, options: CallOptions): Promise<OwnBalance | undefined>;
}

export interface HistoryPoster {
  post(record: HistoryRecord, options: CallOptions): Promise<void>;
}

export interface PortListOptions extends CallOptions {
  readonly token?: UserToken;
  readonly only?: readonly SoughtPort[];
  /** Called for each port of the account as it arrives. While the call is pending, the next ports wait. */
  each?(port: OutputPort): void | Promise<void>;
}

export interface OutputPorts {
  /**
   * With the device token, or with the given user's if the device token is refused. `only`: of an account with 50,000
   * ports only those are kept that `findOutputPort` finds for these keys.
   */
  list(options: PortListOptions): Promise<readonly OutputPort[]>;
}

export interface PermittedPorts {
  /** Whether the user may print at this output port. Rejects if the service does not tell this user. */
  include(outputPortId: number, login: Login, options: CallOptions): Promise<boolean>;
}

export interface TerminalConfigs {
  /**
   * `GET /terminalconfig`, with the device token or the given user's. `undefined` if the service has none for this
   * terminal: 400 and 404 (src/cloud/README.md 12, row 31).
   */
  read(
    serialNumber: string,
    options: CallOptions & { readonly token?: UserToken },
  ): Promise<TerminalConfig | undefined>;
}

export interface TerminalReports {
  /** `target` fills the placeholders of `status.report.path`. */
  report(
    info: TerminalInfo,
    target: { outputPortId: number | undefined; serialNumber: string; terminalId: string },
    options: CallOptions,
  ): Promise<void>;
}

/** Tells which records of `HistoryPoster` arrived; needs the permission ViewReport. */
export interface HistoryRecords {
  /** The number of records with the same user, title, second and pages, at that output port. Looks back a week. */
  count(record: HistoryRecord, outputPortId: number, options: CallerOptions): Promise<number>;
}

/** The prints at an output port, also those recorded by others; needs the permission ViewReport. */
export interface PortHistory {
  /**
   * Wall time, by our clock, of the latest print between these two; `undefined` if there is none. Looks back a week.
   */
  youngest(
    port: Pick<OutputPort, 'id' | 'name'>,
    span: Readonly<Record<'from' | 'to', number>>,
    options: CallerOptions,
  ): Promise<number | undefined>;
}

export interface Users {
  /** The user's own record. */
  read(user: Pick<User, 'userName' | 'providerId'>, options: CallerOptions): Promise<User>;
  /** Sent once. Rejects `cloud-denied` if the API key or the user lacks the permission (src/cloud/README.md 6). */
  enrolCard(user: Pick<User, 'userName'>, card: CardNumber, options: CallerOptions): Promise<void>;
}

export interface CardRelay {
  /**
   * The service prints all documents of the card's owner at the reader's printer. Sent once; `readerMac` as the service
   * spells it. Delivery `answered` or `not-sent`: it definitely does not print. Delivery `perhaps`: it may.
   */
  release(read: { card: CardNumber; readerMac: string }, options: CallerOptions): Promise<void>;
}
