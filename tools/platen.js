#!/bin/sh
// 2>/dev/null; here=$(dirname "$(readlink -f "$0")"); node=$here/../node_modules/.bin/node; [ -x "$node" ] || node=node; export MALLOC_ARENA_MAX=1 GLIBC_TUNABLES="${GLIBC_TUNABLES:+$GLIBC_TUNABLES:}glibc.malloc.tcache_count=0:glibc.malloc.perturb=165"; exec "$node" --max-semi-space-size=1 --disable-sigusr1 --disable-proto=delete --expose-gc "$0" "$@"
/*
 * Starts Platen. Run as a program, the shell reads the line above and hands over to the project's own Node 24, which
 * a clone has in node_modules; run by a node (`node tools/platen.js`), that line is a comment.
 * A clone runs its sources, unless a bundle is there that is as new as they are; a package holds the bundle alone.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 11)) {
  const own = fileURLToPath(new URL('../node_modules', import.meta.url)) + '/.bin/node';
  const program = fileURLToPath(import.meta.url);
  const advice = existsSync(own) ? `. The right one is here: start ${program} without node` : '';
  process.stderr.write(`platen: needs Node 24.11 or newer, this is ${process.versions.node}${advice}\n`);
  process.exit(69);
}

// Documents stream through: a small young generation instead of V8's 16 MB, and one arena instead of glibc's one a
// thread, save 45 MB while a large one does. Both can be given at the start only; the process stays the same one.
// Without the second, Node opens its debugger to whoever sends it SIGUSR1; the third takes away the way by which what comes from
// outside could change every object (INVARIANTS.md T23, T32).
// What is freed is overwritten by the C library, and what nobody holds any more is collected at our word: a person's data
// go with the person (src/core/oblivion.ts).
const startOptions = [
  '--max-semi-space-size=1',
  '--disable-sigusr1',
  '--disable-proto=delete',
  '--expose-gc',
];
const overwriting = 'glibc.malloc.tcache_count=0:glibc.malloc.perturb=165';
if (process.execve && !startOptions.every((option) => process.execArgv.includes(option))) {
  const args = [...process.execArgv, ...startOptions, ...process.argv.slice(1)];
  const { GLIBC_TUNABLES: given } = process.env;
  process.execve(process.execPath, [process.execPath, ...args], {
    ...process.env,
    MALLOC_ARENA_MAX: '1',
    GLIBC_TUNABLES: given ? `${given}:${overwriting}` : overwriting,
  });
}

const root = new URL('../', import.meta.url);
const bundle = new URL('dist/main.js', root);
const sources = new URL('src/', root);

const modified = (url) => statSync(url).mtimeMs;
const newestSource = () =>
  readdirSync(fileURLToPath(sources), { recursive: true })
    .map((path) => modified(new URL(path, sources)))
    .reduce((newest, time) => Math.max(newest, time), modified(new URL('package.json', root)));
const useBundle = existsSync(bundle) && (!existsSync(sources) || modified(bundle) >= newestSource());

await import(useBundle ? bundle.href : new URL('main.ts', sources).href);
