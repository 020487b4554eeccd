/** Printers in a process of their own (`printer-crowd.ts`), as the process sees them that measures. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PrintersTell } from './printer-crowd.ts';

export interface PrinterApart {
  /** `ipp://127.0.0.1:…/ipp/print` */
  readonly uri: string;
  /** The moment at which the next whole document has arrived there, as `momentNow` tells it. */
  nextDocument(): Promise<number>;
}

export interface PrintersApart extends AsyncDisposable {
  readonly printers: readonly PrinterApart[];
  /** Ends them; what was against the protocol, a sentence each. */
  end(): Promise<readonly string[]>;
}

/** Milliseconds that are the same in all processes. */
export const momentNow = (): number => performance.timeOrigin + performance.now();

const program = fileURLToPath(new URL('printer-crowd.ts', import.meta.url));

export async function startPrintersApart(count: number): Promise<PrintersApart> {
  const child = fork(program, [String(count)]);
  const exited = once(child, 'exit');
  const open = Promise.withResolvers<readonly string[]>();
  const ended = Promise.withResolvers<readonly string[]>();
  const waiting = new Map<number, ((at: number) => void)[]>();
  child.on('message', (told: PrintersTell) => {
    if (told.kind === 'open') open.resolve(told.uris);
    else if (told.kind === 'end') ended.resolve(told.deviations);
    else waiting.get(told.printer)?.shift()?.(told.at);
  });
  const gone = exited.then(() => Promise.reject(new Error('the printers have ended')));
  gone.catch(() => undefined);
  const uris = await Promise.race([open.promise, gone]);
  return {
    printers: uris.map((uri, index) => ({
      uri,
      nextDocument: () => {
        const next = new Promise<number>((resolve) => {
          waiting.set(index, [...(waiting.get(index) ?? []), resolve]);
        });
        return Promise.race([next, gone]);
      },
    })),
    end: () => {
      child.send('end');
      return Promise.race([ended.promise, gone]);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
