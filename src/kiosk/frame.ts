/**
 * What the kiosk's event stream carries: one `Frame` after every change, as the data of a server-sent event, its `id`
 * the generation. Types for both ends; which stream gets the private fields is the server's affair.
 */
import type { TypedWay } from '../domain/login.ts';
import type { Notice } from '../domain/notice.ts';
import type { ProblemCode } from '../domain/problem-kinds.ts';
import type { BalanceView, DocumentView, DoubtView } from '../domain/terminal-view.ts';

/**
 * Event type of the sign of life, with any data: a page is not told of the comments of a stream (HTML standard, 9.2.6).
 * Every 2 s while a session is open: 5 s without any event, and the page shows nothing of it any more.
 */
export const heartbeatEvent = 'heartbeat';

/** A passer-by may see this. */
export interface PublicFrame {
  readonly generation: number;
  readonly state: string;
  /** English; shown where the page has no words of its own for the state. */
  readonly sentence: string;
  readonly waiting: number;
  readonly readers?: 'down';
  readonly printer?: PrinterLamp;
  readonly offers?: readonly TypedWay[];
  readonly asks?: 'pin' | 'enrollment';
  readonly endsInSeconds?: number;
  readonly notice?: FrameNotice;
  /** BCP 47 tags, the wanted one first: of the person where it is known, else of the terminal. */
  readonly languages?: readonly string[];
  /** A short code that finds the reason in the log, while the terminal is out of service. */
  readonly reference?: string;
}

/** For the person in front; there where a session is open, and only there. */
export interface PrivateFields {
  readonly documents?: readonly DocumentView[];
  readonly fullName?: string;
  readonly balance?: BalanceView;
  readonly mayHavePrinted?: readonly DoubtView[];
  readonly progress?: readonly DocumentProgress[];
}

export type Frame = PublicFrame & PrivateFields;

export type PrinterLamp = 'ready' | 'busy' | 'needs-attention' | 'unreachable';

/** Its words are the page's own. */
export type FrameNotice = Pick<Notice, 'code' | 'params'>;

/** How far a released document is; `printed` is said of a confirmed one only (I12). */
export interface DocumentProgress {
  readonly documentUuid: string;
  readonly stage: 'waiting' | 'downloading' | 'converting' | 'printing' | 'printed' | 'failed' | 'unknown';
  /** Pages printed so far, where the printer tells. */
  readonly page?: number;
  readonly pages?: number;
  /** Why it failed, or is not known. */
  readonly code?: ProblemCode;
}
