/**
 * The device token as the rest of the agent sees it: usable, on its way, or not available. Enrollment sets it; the
 * cloud adapters read it and report when the service refused it.
 */
import type { Secret } from '../core/secret.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import type { DeviceTokenSource } from '../domain/ports/enrollment.ts';
import { Problem } from '../domain/problem/problem.ts';

export type Holding =
  | { readonly kind: 'usable'; readonly token: Secret }
  | { readonly kind: 'coming' }
  | { readonly kind: 'none' };

export class DeviceTokenHolder implements DeviceTokenSource {
  #holding: Holding = { kind: 'none' };
  readonly #waiting = new Set<() => void>();
  #onRefused: () => void = () => {};
  #onDenied: () => void = () => {};

  /** Enrollment is the only listener. */
  onRefused(listener: () => void): void {
    this.#onRefused = listener;
  }

  /** The trust check is the only listener. */
  onDenied(listener: () => void): void {
    this.#onDenied = listener;
  }

  hold(holding: Holding): void {
    this.#holding = holding;
    for (const wake of [...this.#waiting]) wake();
  }

  async current({ signal }: CallOptions): Promise<Secret> {
    while (this.#holding.kind === 'coming') await this.#change(signal);
    if (this.#holding.kind === 'usable') return this.#holding.token;
    throw new Problem('terminal-not-authorized', 'there is no device token', { delivery: 'not-sent' });
  }

  refused(token: Secret): void {
    if (this.#holding.kind !== 'usable' || !this.#holding.token.equals(token)) return;
    this.#holding = { kind: 'coming' };
    this.#onRefused();
  }

  denied(token: Secret): void {
    if (this.#holding.kind === 'usable' && this.#holding.token.equals(token)) this.#onDenied();
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#waiting.delete(settle);
        signal.removeEventListener('abort', settle);
        if (signal.aborted) {
          const message = 'the device token was still being refreshed';
          reject(
            new Problem('device-token-refused', message, { cause: signal.reason, delivery: 'not-sent' }),
          );
        } else resolve();
      };
      this.#waiting.add(settle);
      signal.addEventListener('abort', settle);
      if (signal.aborted) settle();
    });
  }
}
