/**
 * What a start of `platen run` goes through, by marks that are set from inside: Node's own, and the moments at which it
 * reads its program, opens its database, listens, asks the service and says what it has come to.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Milliseconds, in the order of time; together they are the start. */
export type Phases = ReadonlyMap<string, number>;

const platen = fileURLToPath(new URL('../../tools/platen.js', import.meta.url));

/** Each phase ends with its mark. */
const phases: readonly (readonly [mark: string, phase: string])[] = [
  ['node', 'Node itself'],
  ['main.js', 'tools/platen.js: which program to run'],
  ['run', 'the command line'],
  ['last program', 'reading the program and linking it'],
  ['configuration', 'running each part of it once'],
  ['database', 'the configuration read and checked'],
  ['listening', 'the store and the kiosk'],
  ['agent started', 'the terminals and the operations page'],
  ['terminal ready', 'the service and the printer asked'],
];

/** Its words go to descriptor 3; times are since 1970. */
const preload = `data:text/javascript,
import fs, { writeSync } from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { Server } from 'node:net';
import sqlite from 'node:sqlite';
const marks = new Map();
const now = () => performance.timeOrigin + performance.now();
const mark = (name) => marks.set(name, marks.get(name) ?? now());
const tell = () => writeSync(3, JSON.stringify([...marks]) + '\\n');
mark('node');
registerHooks({ load(url, context, next) {
  if (url.endsWith('/main.js')) mark('main.js');
  if (url.includes('/run-')) mark('run');
  if (url.includes('/assets/') && !marks.has('database')) marks.set('last program', now());
  return next(url, context);
} });
const { prepare } = sqlite.DatabaseSync.prototype;
sqlite.DatabaseSync.prototype.prepare = function (...all) { mark('database'); return prepare.apply(this, all); };
const { listen } = Server.prototype;
Server.prototype.listen = function (...all) { mark('listening'); return listen.apply(this, all); };
const { openSync } = fs;
fs.openSync = (path, ...all) => {
  if (String(path).endsWith('platen.yaml')) mark('configuration');
  return openSync(path, ...all);
};
syncBuiltinESMExports();
process.on('SIGUSR2', tell);`;

export async function phasesOf(configFile: string): Promise<Phases> {
  let before = now();
  const child = spawn(
    process.execPath,
    ['--import', preload, ...optionsOf(), platen, 'run', '-c', configFile],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    },
  );
  const marks = new Map<string, number>();
  for await (const line of createInterface({ input: child.stdio[1] as Readable })) {
    marks.set(JSON.parse(line).msg, now());
    if (marks.has('terminal ready')) break;
  }
  child.kill('SIGUSR2');
  const [told] = await once(child.stdio[3] as Readable, 'data');
  for (const [mark, at] of JSON.parse(String(told))) marks.set(mark, at);
  child.kill('SIGTERM');
  await once(child, 'exit');
  const spans = phases.map(([mark, phase]): [string, number] => {
    const span = (marks.get(mark) ?? before) - before;
    before += span;
    return [phase, span];
  });
  return new Map(spans);
}

const now = (): number => performance.timeOrigin + performance.now();

/** As the first line of tools/platen.js gives them. */
function optionsOf(): readonly string[] {
  const given = /exec "\$node" (.*?) "\$0"/.exec(readFileSync(platen, 'utf8'))?.[1];
  if (given === undefined) throw new Error(`${platen} does not say how it starts Node`);
  return given.split(' ');
}
