/**
 * What Node can be told at its start only, and is: the shell's line in platen.js says the same. The process stays the same one.
 *
 * Documents stream through: a small young generation instead of V8's 16 MB, and one arena instead of glibc's one a thread,
 * save 45 MB while a large one does. Without the second, Node opens its debugger to whoever sends it SIGUSR1; the third
 * takes away the way by which what comes from outside could change every object (INVARIANTS.md T23, T32). What is freed is
 * overwritten by the C library, and what nobody holds any more is collected at our word: a person's data go with the
 * person (src/core/oblivion.ts). What is large is given back to the kernel at once; left to itself, glibc takes ever more for
 * small, and keeps the holes.
 */
import { setFlagsFromString } from 'node:v8';

const startOptions = [
  '--max-semi-space-size=1',
  '--disable-sigusr1',
  '--disable-proto=delete',
  '--expose-gc',
];
const allocation = 'glibc.malloc.tcache_count=0:glibc.malloc.perturb=165:glibc.malloc.mmap_threshold=131072';

/**
 * How often a function has to be called before V8 translates it once more, for speed: a start calls many of them some
 * hundred times and never again, and would pay for the translation with a sixth of its time, and with 5 MB of compilers
 * that nobody has called yet. What serves for days gets there all the same.
 */
const patience = [
  '--invocation-count-for-maglev=20000',
  '--invocation-count-for-maglev-osr=20000',
  '--invocation-count-for-turbofan=100000',
];

/** Begins this process anew, unless it was begun with them. */
export function insistOnStartOptions() {
  for (const flag of patience) setFlagsFromString(flag);
  if (!process.execve || startOptions.every((option) => process.execArgv.includes(option))) return;
  const args = [...process.execArgv, ...startOptions, ...process.argv.slice(1)];
  const { GLIBC_TUNABLES: given } = process.env;
  begin([process.execPath, ...args], {
    ...process.env,
    MALLOC_ARENA_MAX: '1',
    GLIBC_TUNABLES: given ? `${given}:${allocation}` : allocation,
  });
}

/** Windows has the function, and it throws: there the process goes on as it was begun. */
function begin(args, env) {
  try {
    process.execve(process.execPath, args, env);
  } catch (error) {
    if (error.code !== 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM') throw error;
  }
}
