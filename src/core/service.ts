/**
 * A service is a name and a `run` that goes on until its signal aborts. A service that returns or throws before
 * that is a defect: `runServices` then stops the others and tells which one ended. One that neither ends nor goes on is
 * known by its promises.
 */
import type { Duration } from './duration.ts';

/** The promise to come by again within the span; `forEver` where the wait is for a person or a device. */
export type Progress = (within: Duration) => void;

export interface Service {
  readonly name: string;
  run(signal: AbortSignal, progress?: Progress): Promise<void>;
}

/** Keeps the promises of services in mind. */
export interface ProgressWatch {
  /** Until that is disposed of: nothing is expected then any longer. Several services may have one name. */
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

/** Runs all services until the signal aborts; rejects with the first one's `ServiceEnded` when one ends before. */
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

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
