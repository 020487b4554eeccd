/** argv and signals in, exit code out. Everything else is in `commands/`. */
import { systemClock } from './core/clock.ts';
import { callerOf } from './commands/caller.ts';
import { runCommandLine } from './commands/command-line.ts';
import { screenOf } from './commands/terminal-text/screen.ts';

// No small buffer shares its memory with others: it would keep what lies beside it, and outlive its own end.
Buffer.poolSize = 0;

const stop = new AbortController();
let isHearing = false;

/** A command that does not ask for it is ended by the system, whatever it waits for. */
function heard(): AbortSignal {
  if (!isHearing)
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort(signal));
  isHearing = true;
  return stop.signal;
}

// Whoever read our output went away (`platen demo | head`): there is nobody left to work for.
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
// Whatever is still open (a keyboard, a connection kept alive) must not hold up the end.
process.exit(code);
