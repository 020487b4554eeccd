/** How often a running process asks the kernel to bring a file to the disk: fsync(2) and fdatasync(2), by strace(1). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** What it makes while the work is done. The process is slower meanwhile. */
export async function syncCallsOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const args = ['-f', '-e', 'trace=fsync,fdatasync', '-p', String(pid)];
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(strace, 'exit');
  const lines = createInterface({ input: strace.stderr });
  // It says so when it holds the process.
  await once(lines, 'line');
  let calls = 0;
  // A call that is heard in the midst of another thread's stands in two lines.
  lines.on('line', (line) => {
    if (/fdatasync\(|fsync\(/.test(line) && !line.includes('resumed>')) calls += 1;
  });
  try {
    await work();
  } finally {
    strace.kill('SIGINT');
    await exited;
  }
  return calls;
}
