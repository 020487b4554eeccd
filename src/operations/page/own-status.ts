/**
 * The part of `/status` that the page reads, at the gateway that serves it. Fields may be added there, but not removed.
 */
import { needText } from '../../domain/problem/printer-needs.ts';

export interface OwnStatus {
  readonly terminals: readonly OwnTerminal[];
  readonly conditions: readonly OwnCondition[];
}

export interface OwnCondition {
  readonly code: string;
  readonly severity: string;
  /** A terminal id, or `agent`. */
  readonly scope: string;
  readonly subject: string;
  readonly detail: string;
  readonly since: string;
  readonly acknowledged?: { readonly name: string; readonly note: string; readonly at: string };
}

export interface OwnTerminal {
  readonly id: string;
  readonly state: string;
  readonly ready: boolean;
  readonly outage: { readonly reason: string; readonly reference: string; readonly by?: string } | null;
  readonly printer: {
    readonly uri: string;
    readonly state: string;
    readonly needs: string | null;
    readonly ready: boolean;
    /** A raw printer tells nothing until something is sent. */
    readonly assumed: boolean;
    readonly acceptingJobs: boolean | null;
    readonly certificate: { readonly validTo?: string } | null;
  };
  readonly readers: readonly {
    readonly name: string;
    readonly kind: string;
    readonly state: string;
    readonly frames: number;
    readonly garbage: number;
    readonly reconnects: number;
  }[];
  readonly prompt: { readonly tty: string; readonly state: string } | null;
  readonly outputPortId: number | null;
  readonly settings: Readonly<Record<string, { readonly value: unknown; readonly from: string }>>;
  readonly settingsSince: string | null;
  readonly settingsRead: string | null;
}

/** As in `platen status`. */
export function stateText({ state, ready, outage }: OwnTerminal): string {
  if (state === 'outOfService') return outage?.reason === 'elsewhere' ? 'served elsewhere' : 'out of service';
  if (state !== 'prompting') return 'in a session';
  return ready ? 'ready' : 'not ready';
}

/** An obstacle comes before the activity: a printer that accepts no jobs calls itself idle. */
export function printerText({ needs, state, ready, assumed, acceptingJobs }: OwnTerminal['printer']): string {
  const needed = needText(needs);
  if (needed !== undefined) return needed;
  if (acceptingJobs === false) return 'accepts no jobs';
  if (assumed) return 'not asked: a raw printer tells nothing until something is sent';
  if (!ready && state === 'idle') return 'not ready';
  return stateWords[state] ?? state;
}

/** It can release, and no part of it is away. */
export const isInOrder = ({ ready, readers, prompt, outage }: OwnTerminal): boolean =>
  outage?.reason === 'elsewhere' ||
  (ready && outage === null && readers.every(({ state }) => state === 'up') && prompt?.state !== 'down');

const stateWords: Readonly<Record<string, string>> = {
  idle: 'ready',
  processing: 'printing',
  stopped: 'stopped',
  unreachable: 'does not answer',
};
