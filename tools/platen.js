#!/bin/sh
// 2>/dev/null; here=$(readlink -f "$0"); node=${here%/*}/../node_modules/.bin/node; [ -x "$node" ] || node=node; export MALLOC_ARENA_MAX=1 GLIBC_TUNABLES="${GLIBC_TUNABLES:+$GLIBC_TUNABLES:}glibc.malloc.tcache_count=0:glibc.malloc.perturb=165:glibc.malloc.mmap_threshold=131072"; exec "$node" --max-semi-space-size=8 --disable-sigusr1 --disable-proto=delete "$0" "$@"
/*
 * Starts Platen. Run as a program, the shell reads the line above and hands over to the project's own Node 24, which
 * a clone has in node_modules; run by a node (`node tools/platen.js`), that line is a comment.
 * A clone runs its sources, unless a bundle is there that is as new as they are; a package holds the bundle alone.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
// An older Node has less in it, and is told so below.
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { insistOnStartOptions } from './start-options.js';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 11)) {
  const own = fileURLToPath(new URL('../node_modules', import.meta.url)) + '/.bin/node';
  const program = fileURLToPath(import.meta.url);
  const advice = existsSync(own) ? `. The right one is here: start ${program} without node` : '';
  process.stderr.write(`platen: needs Node 24.11 or newer, this is ${process.versions.node}${advice}\n`);
  process.exit(69);
}

insistOnStartOptions();

const root = fileURLToPath(new URL('..', import.meta.url));
const bundle = join(root, 'dist', 'main.js');
const sources = join(root, 'src');

// What V8 has compiled once is read from beside the program. Where nobody may write there, as in a package, it is what
// compile.js has put there.
module.enableCompileCache(join(root, '.code'));

const modified = (path) => statSync(path).mtimeMs;
const newestIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? newestIn : modified)(`${folder}/${entry.name}`))
    .reduce((newest, time) => Math.max(newest, time), modified(folder));
const newestSource = () => Math.max(newestIn(sources), modified(join(root, 'package.json')));
const useBundle = existsSync(bundle) && (!existsSync(sources) || modified(bundle) >= newestSource());

await import(pathToFileURL(useBundle ? bundle : join(sources, 'main.ts')).href);
