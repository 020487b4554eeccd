/** The public API of the service as the rest of Platen meets it: one port a resource, said in the trade's words. */
import type { Readable } from 'node:stream';
import type { CardNumber } from '../card.ts';
import type { Document } from '../document.ts';
import type { HistoryRecord } from '../history.ts';
import type { OutputPort } from '../output-port.ts';
import type { Ticket } from '../release.ts';
import type { TerminalInfo } from '../terminal-info.ts';
import type { Login, UserToken } from '../user.ts';
import type { CallOptions } from './call.ts';

export interface Logins {
  /** `POST /login` with authtype 1 and the device token. Rejects `login-refused` on 401. */
  byCard(card: CardNumber, options: CallOptions): Promise<Login>;
}

/** A download under way. Reading `bytes` to its end without an error means that it is whole. */
export interface Download {
  /** From Content-Length, where the service sent one. */
  readonly length: number | undefined;
  readonly bytes: Readable;
}

export interface Documents {
  /** READY documents of the token's user, at most 500; unusable entries are left out and logged. */
  ready(token: UserToken, options: CallOptions): Promise<readonly Document[]>;
  /** `GET …content?retain=true`: the document stays in the cloud (D6). */
  download(uuid: string, token: UserToken, options: CallOptions): Promise<Download>;
  /** Resolves also when the document is gone already. */
  remove(uuid: string, token: UserToken, options: CallOptions): Promise<void>;
}

export interface Balance {
  /** Resolves when the document may be printed; rejects `balance-insufficient` or `balance-unknown`. */
  check(ticket: Ticket, options: CallOptions): Promise<void>;
}

export interface HistoryPoster {
  post(record: HistoryRecord, options: CallOptions): Promise<void>;
}

export interface OutputPorts {
  /** With the device token, or with the given user's where the device token is refused. */
  list(options: CallOptions & { readonly token?: UserToken }): Promise<readonly OutputPort[]>;
}

export interface TerminalReports {
  /** `target` fills the placeholders of `status.report.path`. */
  report(
    info: TerminalInfo,
    target: { outputPortId: number | undefined; serialNumber: string; terminalId: string },
    options: CallOptions,
  ): Promise<void>;
}
