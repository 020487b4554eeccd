/**
 * Root at a machine that has the service's user: a mount namespace in which passwd(5) and group(5) name `platen`, and a
 * folder with a configuration of root's, a state directory of the service's, and files of root's alone.
 */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';

export const service = { uid: 7381, gid: 7381, name: 'platen' } as const;
/** A group that the service's user is in besides: readers are opened by it. */
export const readersGroup = 7382;

export const program = resolve('tools/platen.js');

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServiceMachine extends Disposable {
  readonly folder: string;
  /** Of root, for the service to read. */
  readonly configFile: string;
  /** Of the service, with nothing in it. */
  readonly stateDir: string;
  /** For root alone. */
  readonly rootsFolder: string;
  /** Writes a file; as the service's user where nothing else is said. */
  write(path: string, text: string, owner?: { uid: number; gid: number; mode: number }): void;
  /** As root, who knows the service's user. */
  run(command: string, ...args: readonly string[]): Promise<Said>;
  start(command: string, ...args: readonly string[]): ChildProcess;
}

export const cloudNowhere = {
  baseUrl: 'https://127.0.0.1:1',
  authUrl: 'https://127.0.0.1:1',
  apiKey: 'sample',
} as const;

const mounted = `
mount --make-rprivate /
mount --bind "$0/passwd" /etc/passwd
mount --bind "$0/group" /etc/group
cd "$0/roots"
exec "$@"`;

export function openServiceMachine(terminals: readonly object[] = []): ServiceMachine {
  const folder = mkdtempSync(join(tmpdir(), 'platen-root-'));
  chmodSync(folder, 0o755);
  const [etc, stateDir, rootsFolder] = ['etc', 'state', 'roots'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const write: ServiceMachine['write'] = (path, text, { uid, gid, mode } = { ...service, mode: 0o600 }) => {
    writeFileSync(path, text);
    chmodSync(path, mode);
    chownSync(path, uid, gid);
  };
  for (const path of [etc, stateDir, rootsFolder]) mkdirSync(path);
  chmodSync(etc, 0o750);
  chownSync(etc, 0, service.gid);
  chmodSync(stateDir, 0o700);
  chownSync(stateDir, service.uid, service.gid);
  chmodSync(rootsFolder, 0o700);
  writeFileSync(
    join(folder, 'passwd'),
    `root:x:0:0::/root:/bin/sh\n${service.name}:x:${service.uid}:${service.gid}::${stateDir}:/usr/sbin/nologin\nnobody:x:65534:65534::/:/bin/false\n`,
  );
  writeFileSync(
    join(folder, 'group'),
    `root:x:0:\n${service.name}:x:${service.gid}:\nreaders:x:${readersGroup}:${service.name}\nnogroup:x:65534:\n`,
  );
  const configFile = join(etc, 'platen.yaml');
  const listeners = { kiosk: { listen: '127.0.0.1:0' }, operations: { listen: '127.0.0.1:0' } };
  write(configFile, stringify({ cloud: cloudNowhere, stateDir, terminals, ...listeners }), {
    uid: 0,
    gid: service.gid,
    mode: 0o640,
  });
  const wrapped = (command: string, args: readonly string[]) => [
    '-m',
    'setpriv',
    '--pdeathsig=KILL',
    'sh',
    '-euc',
    mounted,
    folder,
    command,
    ...args,
  ];
  const env = { PATH: process.env['PATH'], HOME: '/root' };
  return {
    folder,
    configFile,
    stateDir,
    rootsFolder,
    write,
    run: (command, ...args) =>
      promisify(execFile)('unshare', wrapped(command, args), { env }).then(
        (said) => ({ code: 0, ...said }),
        (error: Said) => error,
      ),
    start: (command, ...args) =>
      spawn('unshare', wrapped(command, args), { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
