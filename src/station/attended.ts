/**
 * Services that run only while this gateway serves the terminal: its readers. A reader that two gateways had open would
 * give its badges to either (F11).
 */
import type { ProgressWatch, Service } from '../core/service.ts';
import { aborted, runServices } from '../core/service.ts';

export interface Attended extends Service {
  /** Resolves when they are closed, where they are to be. */
  serve(yes: boolean): Promise<void>;
}

export function attended(
  services: readonly Service[],
  { name, watch, onClosed }: { readonly name: string; readonly watch: ProgressWatch; onClosed(): void },
): Attended {
  let isServed = false;
  let turned = Promise.withResolvers<void>();
  let closing = new AbortController();
  let running = Promise.resolve();

  return {
    name,
    serve(yes) {
      isServed = yes;
      if (yes) turned.resolve();
      else closing.abort();
      return yes ? Promise.resolve() : running;
    },
    async run(signal) {
      while (!signal.aborted) {
        if (!isServed) await Promise.race([turned.promise, aborted(signal)]);
        turned = Promise.withResolvers();
        if (!isServed || signal.aborted) continue;
        closing = new AbortController();
        const over = AbortSignal.any([signal, closing.signal]);
        // A terminal may have no readers.
        const open = Promise.all([runServices(services, over, watch), aborted(over)]);
        running = open.then(onClosed, () => {});
        await open;
        await running;
      }
    },
  };
}
