/** How a virtual printer can be told to misbehave (INVARIANTS.md B.4, step 7). One behaviour at a time. */
import type { Duration } from '../../core/duration.ts';
import type { Operation } from '../../ipp/operations.ts';

export type PrinterBehaviour =
  // Conditions: they last until `clear()`.
  /** Out of paper, a door open, …: printer-state `stopped` with this printer-state-reason; jobs wait. */
  | { readonly kind: 'stopped'; readonly reason: string }
  /** Each job stops before the page after these: `processing-stopped`, `media-jam-error`. */
  | { readonly kind: 'jam'; readonly afterPages: number; readonly pageTime?: Duration }
  /** Jobs stay `processing` and no page comes. */
  | { readonly kind: 'hold' }
  | { readonly kind: 'slow'; readonly pageTime: Duration }
  /** Nobody listens on the port. */
  | { readonly kind: 'refuse-connections' }
  // Events: they meet every request or job until `clear()`, or the first one alone.
  /** `server-error-busy` to Create-Job and Print-Job. */
  | { readonly kind: 'busy' }
  /** `server-error-not-accepting-jobs`, and printer-is-accepting-jobs false. */
  | { readonly kind: 'not-accepting' }
  /** `client-error-document-format-not-supported`, whatever the format. */
  | { readonly kind: 'refuse-format' }
  /** The printer gives the job up after these pages: `aborted-by-system`. */
  | { readonly kind: 'abort'; readonly afterPages: number }
  /** So many bytes of a document are read and then none until `clear()`, the connection stays open. */
  | { readonly kind: 'stop-reading'; readonly afterBytes: number }
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** The request is taken in, nothing is done, no answer comes. Without an operation: to any. */
  | { readonly kind: 'never-answer'; readonly to?: Operation }
  /** The request is carried out, and the connection breaks instead of an answer. */
  | { readonly kind: 'answer-lost'; readonly to: Operation }
  /** 401, 426, a redirect, …: HTTP has the word before IPP. */
  | { readonly kind: 'http'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** These bytes instead of an IPP message. */
  | { readonly kind: 'garbage'; readonly bytes?: Buffer }
  | { readonly kind: 'wrong-request-id' };

type Kind = PrinterBehaviour['kind'];
type Of<K extends Kind> = Extract<PrinterBehaviour, { kind: K }>;

export interface Mood {
  /** The behaviour, when it is of this kind. Does not use it up. */
  is<K extends Kind>(kind: K): Of<K> | undefined;
  /** The same for an event that happens now: one that was ordered once is used up. */
  meets<K extends Kind>(kind: K, concerns?: (behaviour: Of<K>) => boolean): Of<K> | undefined;
  set(behaviour: PrinterBehaviour | undefined, times: 'always' | 'once'): void;
  /** Aborts when the printer is told the next time to be well again. */
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
