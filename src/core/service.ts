/**
 * A service is a name and a `run` that goes on until its signal aborts. A service that returns or throws before
 * that is a defect: `runServices` then stops the others and tells which one ended.
 */
export interface Service {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
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
export async function runServices(services: readonly Service[], signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const together = AbortSignal.any([signal, stop.signal]);
  let first: ServiceEnded | undefined;
  await Promise.all(
    services.map(async (service) => {
      let cause: unknown;
      try {
        await service.run(together);
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
