/**
 * The support bundle of this gateway, for a caller who asks through the engine of its fleet. `platen support-bundle`
 * makes it in another process, because it reads the whole ledger, and nobody at a terminal may wait for that.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Io } from '../io.ts';
import { startPlaten } from '../platen-process.ts';

const limit = seconds(90);

/** Rejects if there is no bundle within a minute and a half. */
export async function ownBundle(config: string, io: Io, signal: AbortSignal): Promise<Buffer> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-bundle-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'bundle.tar.gz');
  const said: string[] = [];
  const quiet = { ...io, error: (text: string) => void said.push(text) };
  const args = ['support-bundle', '-c', config, '-o', file, '--json'];
  const program = opened.use(startPlaten(args, { io: quiet }));
  const over = new AbortController();
  await Promise.race([
    program.closed,
    systemClock.sleep(limit, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => {}),
  ]);
  over.abort();
  if (program.exitCode() !== 0) throw new Error(said[0] ?? 'platen support-bundle has not ended in time');
  return readFile(file);
}
