/**
 * The IPP printer that npm has (package ipp-printer): IPP/1.1 with Print-Job alone, and with answers that no printer of
 * a maker gives. It runs in this process, and announces itself to nobody: that would be on every network here.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire, Module } from 'node:module';

export interface NpmPrinter extends AsyncDisposable {
  readonly uri: string;
  /** Every document that came to its end, oldest first. */
  documents(): readonly Buffer[];
  /** Operations by their number, in the order they were asked for. */
  readonly asked: readonly number[];
  /** The jobs are taken, and their documents not read, until `letGo`. */
  hold(): void;
  letGo(): void;
  switchOff(): Promise<void>;
}

export async function startNpmPrinter(): Promise<NpmPrinter> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const uri = `ipp://127.0.0.1:${address.port}/`;
  const create = await silenced();
  const printer = create({ name: 'Node', server, uri, zeroconf: false });

  const documents: Buffer[] = [];
  const asked: number[] = [];
  const waiting = new Set<() => void>();
  let isHolding = false;
  printer.on('operation', ({ operationId }) => asked.push(operationId));
  printer.on('job', (job) => {
    const read = () => {
      const chunks: Buffer[] = [];
      job.on('data', (chunk: Buffer) => chunks.push(chunk));
      job.on('end', () => documents.push(Buffer.concat(chunks)));
    };
    if (isHolding) waiting.add(read);
    else read();
  });
  const switchOff = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  return {
    uri,
    documents: () => documents,
    asked,
    hold() {
      isHolding = true;
    },
    letGo() {
      isHolding = false;
      for (const read of waiting) read();
      waiting.clear();
    },
    switchOff,
    [Symbol.asyncDispose]: switchOff,
  };
}

/** The package announces itself through another one, which opens a port on all addresses even when unwished for. */
async function silenced() {
  const within = createRequire(createRequire(import.meta.url).resolve('ipp-printer'));
  const announcer = within.resolve('bonjour');
  const nobody = new Module(announcer);
  nobody.exports = () => ({ publish() {} });
  nobody.loaded = true;
  within.cache[announcer] = nobody;
  return (await import('ipp-printer')).default;
}
