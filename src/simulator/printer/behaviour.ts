/**
 * The misbehaviours that a test can order from a virtual printer (INVARIANTS.md B.4, step 7). Only one is active at a
 * time.
 */
import type { Duration } from '../../core/duration.ts';
import type { Operation } from '../../ipp/registry.ts';

export type PrinterBehaviour =
  // Conditions last until `clear()`.
  /** Out of paper or an open door, for example: printer-state `stopped` with this printer-state-reason. Jobs wait. */
  | { readonly kind: 'stopped'; readonly reason: string }
  /** Each job stops after this many pages: `processing-stopped`, `media-jam-error`. */
  | { readonly kind: 'jam'; readonly afterPages: number; readonly pageTime?: Duration }
  /** Jobs stay `processing`, and no page is printed. */
  | { readonly kind: 'hold' }
  | { readonly kind: 'slow'; readonly pageTime: Duration }
  /** The printer does not listen on its port. */
  | { readonly kind: 'refuse-connections' }
  // Events meet every request or job until `clear()`, or only the first.
  /** `server-error-busy` for Create-Job and Print-Job. */
  | { readonly kind: 'busy' }
  /** `server-error-not-accepting-jobs`, and printer-is-accepting-jobs is false. */
  | { readonly kind: 'not-accepting' }
  /** `client-error-document-format-not-supported`, whatever the format is. */
  | { readonly kind: 'refuse-format' }
  /** The printer aborts the job after this many pages: `aborted-by-system`. */
  | { readonly kind: 'abort'; readonly afterPages: number }
  /** After this many bytes of a document, reading stops until `clear()`. The connection stays open. */
  | { readonly kind: 'stop-reading'; readonly afterBytes: number }
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** The request is read, but not carried out and not answered. Without an operation, this holds for any request. */
  | { readonly kind: 'never-answer'; readonly to?: Operation }
  /** The request is carried out, but the connection breaks instead of an answer. */
  | { readonly kind: 'answer-lost'; readonly to: Operation }
  /** An HTTP answer instead of IPP, for example 401, 426 or a redirect. */
  | { readonly kind: 'http'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** These bytes are sent instead of an IPP message. */
  | { readonly kind: 'garbage'; readonly bytes?: Buffer }
  | { readonly kind: 'wrong-request-id' };

type Kind = PrinterBehaviour['kind'];
type Of<K extends Kind> = Extract<PrinterBehaviour, { kind: K }>;

export interface Mood {
  /** The behaviour if it is of this kind. It is not used up. */
  is<K extends Kind>(kind: K): Of<K> | undefined;
  /** The same for an event that happens now. A behaviour that was ordered once is used up. */
  meets<K extends Kind>(kind: K, concerns?: (behaviour: Of<K>) => boolean): Of<K> | undefined;
  set(behaviour: PrinterBehaviour | undefined, times: 'always' | 'once'): void;
  /** Aborts at the next `clear()`. */
  cleared(): AbortSignal;
}

export function createMood(): Mood {
  let current: PrinterBehaviour | undefined;
  let isForOnce = false;
  let recovery = new AbortController();
  const isOf = <K extends Kind>(behaviour: PrinterBehaviour | undefined, kind: K): behaviour is Of<K> =>
    behaviour?.kind === kind;
  const is = <K extends Kind>(kind: K): Of<K> | undefined => (isOf(current, kind) ? current : undefined);
  return {
    is,
    meets(kind, concerns = () => true) {
      const behaviour = is(kind);
      if (behaviour === undefined || !concerns(behaviour)) return undefined;
      if (isForOnce) current = undefined;
      return behaviour;
    },
    set(behaviour, times) {
      current = behaviour;
      isForOnce = times === 'once';
      if (behaviour !== undefined) return;
      recovery.abort();
      recovery = new AbortController();
    },
    cleared: () => recovery.signal,
  };
}
