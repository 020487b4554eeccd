/**
 * `node tools/compile.js USER`, once, where Platen is installed: has V8 compile what a start needs, and keeps it beside the
 * program for that user, who may only read there. Whoever may write it is whoever may write the program.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { insistOnStartOptions } from './start-options.js';

insistOnStartOptions();
const [, , user] = process.argv;
if (user === undefined) throw new Error('whose? node tools/compile.js USER');

// Whatever the installation's own is.
process.umask(0o022);
const root = fileURLToPath(new URL('..', import.meta.url));
const kept = join(root, '.code');
rmSync(kept, { recursive: true, force: true });
enableCompileCache(kept);
const program = join(root, 'dist', 'assets');
for (const name of readdirSync(program).filter((file) => file.endsWith('.js'))) {
  await import(pathToFileURL(join(program, name)).href);
}
flushCompileCache();

// Node names the folder by its own version and by the user: the service's user finds what was compiled for root.
const ours = getCompileCacheDir();
const id = execFileSync('id', ['-u', user], { encoding: 'utf8' }).trim();
const theirs = ours.replace(/\d+$/, id);
if (theirs !== ours) symlinkSync(basename(ours), theirs);
