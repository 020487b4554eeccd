/** Raw printing against socat, which takes bytes as a print server does and says nothing. */
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RawPrinterStage } from '../contracts/raw-printer.ts';
import { rawPrinterContract } from '../contracts/raw-printer.ts';
import { needsPeer } from '../support/needs.ts';
import { freePort } from '../support/ports.ts';
import { startProcess, whenReady } from '../support/process-group.ts';

async function startStage(): Promise<RawPrinterStage> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-raw-'));
  const port = await freePort();
  const listener = `TCP-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork`;
  // A file a connection.
  const peer = await startProcess('socat', ['-d', '-d', '-u', listener, 'SYSTEM:cat >$FOLDER/$$'], {
    FOLDER: folder,
  });
  await whenReady(
    'socat',
    () => {
      if (!peer.log().includes('listening on')) throw new Error('it does not listen yet');
    },
    peer,
  );
  const files = () => (existsSync(folder) ? readdirSync(folder) : []);

  return {
    uri: `socket://127.0.0.1:${port}`,
    received: async () => {
      const all = await Promise.all(files().map((name) => readFile(join(folder, name))));
      return all.filter(({ length }) => length > 0);
    },
    freeze: async () => peer.signal('SIGSTOP'),
    breakOff: async () => peer.signal('SIGKILL'),
    switchOff: async () => peer[Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {
      await peer[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

needsPeer('socat', 'socat')('socat', () => {
  rawPrinterContract(startStage);
});
