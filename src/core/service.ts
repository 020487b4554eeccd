/**
 * A service is a name and a `run` that goes on until its signal aborts. If a service returns or throws before that, it
 * has a defect: `runServices` stops the others and names it. A service that hangs is found by its broken promises of
 * progress.
 */
import type { Duration } from './duration.ts';

/** Promises to report again within the span; `forEver` for a wait for a person or a device. */
export type Progress = (within: Duration) => void;

export interface Service {
  readonly name: string;
  run(signal: AbortSignal, progress?: Progress): Promise<void>;
}

export interface ProgressWatch {
  /** Follows a service until the result is disposed. Several services may have the same name. */
  follow(service: string): { readonly progress: Progress } & Disposable;
}

export class ServiceEnded extends Error {
  override readonly name = 'ServiceEnded';
  readonly service: string;

  constructor(service: string, options?: ErrorOptions) {
    super(`the service ${service} ended by itself`, options);
    this.service = service;
  }
}

/** Runs all services until the signal aborts. Rejects with the `ServiceEnded` of the first service that ends before. */
export async function runServices(
  services: readonly Service[],
  signal: AbortSignal,
  watch?: ProgressWatch,
): Promise<void> {
  const stop = new AbortController();
  const together = AbortSignal.any([signal, stop.signal]);
  let first: ServiceEnded | undefined;
  await Promise.all(
    services.map(async (service) => {
      using followed = watch?.follow(service.name);
      let cause: unknown;
      try {
        await service.run(together, followed?.progress);
      } catch (error) {
        cause = error;
      }
      if (together.aborted) return;
      first ??= new ServiceEnded(service.name, cause === undefined ? {} : { cause });
      stop.abort(first);
    }),
  );
  if (first) throw first;
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
