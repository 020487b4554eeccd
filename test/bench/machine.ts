/** The machine that the figures were taken on: figures without it say nothing. Linux only, by /proc and df(1). */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem, type } from 'node:os';
import { inMegabytes } from './figures.ts';

export interface Machine {
  readonly [fact: string]: string;
}

export function thisMachine(): Machine {
  const processors = cpus();
  return {
    date: new Date().toISOString(),
    processor: `${processors[0]?.model ?? 'unknown'}, ${processors.length} cores`,
    memory: inMegabytes(totalmem()),
    system: `${type()} ${release()}, ${distribution()}`,
    node: `${process.version}, ${process.arch}`,
    disk: diskOf(tmpdir()),
  };
}

const distribution = (): string =>
  /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown distribution';

/** Device, file system and free room of a folder. */
function diskOf(folder: string): string {
  const said = execFileSync('df', ['--output=source,fstype,avail', '-BM', folder], { encoding: 'utf8' });
  const [source, fileSystem, available] = said.trim().split('\n').at(-1)?.trim().split(/\s+/) ?? [];
  return `${folder} on ${source}, ${fileSystem}, ${available} free`;
}
