/** How a running process asks the kernel to bring files to the disk: fsync(2) and fdatasync(2), by strace(1). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const calls = 'fsync,fdatasync';

/** What it makes while the work is done. The process is slower meanwhile. */
export async function syncCallsOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  let found = 0;
  {
    await using _ = await watch(pid, [], (line) => {
      // A call that is heard in the midst of another thread's stands in two lines.
      if (/fdatasync\(|fsync\(/.test(line) && !line.includes('resumed>')) found += 1;
    });
    await work();
  }
  return found;
}

/** Each takes so many milliseconds longer, until it is disposed of. */
export const holdUpSyncs = (pid: number, delay: number): Promise<AsyncDisposable> =>
  watch(pid, ['-e', `inject=${calls}:delay_enter=${delay * 1000}`], () => {});

async function watch(
  pid: number,
  further: readonly string[],
  hear: (line: string) => void,
): Promise<AsyncDisposable> {
  const args = ['-f', '-e', `trace=${calls}`, ...further, '-p', String(pid)];
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(strace, 'exit');
  const lines = createInterface({ input: strace.stderr });
  // It says so when it holds the process.
  await once(lines, 'line');
  lines.on('line', hear);
  return {
    async [Symbol.asyncDispose]() {
      strace.kill('SIGINT');
      await exited;
    },
  };
}
