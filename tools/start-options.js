/**
 * What Node can be told at its start only, and is: the shell's line in platen.js says the same. The process stays the same one.
 *
 * Documents stream through: a small young generation instead of V8's 16 MB, and one arena instead of glibc's one a thread,
 * save 45 MB while a large one does. Without the second, Node opens its debugger to whoever sends it SIGUSR1; the third
 * takes away the way by which what comes from outside could change every object (INVARIANTS.md T23, T32). What is freed is
 * overwritten by the C library: a person's data go with the person (src/core/oblivion.ts). What is large is given back to the
 * kernel at once; left to itself, glibc takes ever more for small, and keeps the holes. What V8 can be told later, is
 * (src/core/long-run.ts).
 */
const startOptions = ['--max-semi-space-size=8', '--disable-sigusr1', '--disable-proto=delete'];
const allocation = 'glibc.malloc.tcache_count=0:glibc.malloc.perturb=165:glibc.malloc.mmap_threshold=131072';

/** Begins this process anew, unless it was begun with them. */
export function insistOnStartOptions() {
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
