/** Command-line arguments and signals come in, an exit code goes out. Everything else is in `commands/`. */
import { systemClock } from './core/clock.ts';
import { callerOf } from './commands/caller.ts';
import { runCommandLine } from './commands/command-line.ts';
import { screenOf } from './commands/terminal-text/screen.ts';

// Small buffers must not share memory, because a secret could stay in the shared memory after its buffer is gone.
Buffer.poolSize = 0;

const stop = new AbortController();
let isHearing = false;

/** A command that never asks for this signal is ended by the system at once. */
function heard(): AbortSignal {
  if (!isHearing)
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort(signal));
  isHearing = true;
  return stop.signal;
}

// The reader of our output has gone (`platen demo | head`), so the command ends.
process.stdout.on('error', () => stop.abort('EPIPE'));

const code = await runCommandLine(process.argv.slice(2), {
  out: (text) => process.stdout.write(`${text}\n`),
  error: (text) => process.stderr.write(`${text}\n`),
  env: process.env,
  clock: systemClock,
  caller: callerOf(process.env),
  screen: screenOf(process.stdout, process.env),
  get stop() {
    return heard();
  },
});
// Open resources, such as a keyboard or a kept connection, must not delay the end.
process.exit(code);
