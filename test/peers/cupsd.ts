/**
 * A private CUPS as a peer, with the job policy that Debian ships: the real spooler, and in place of a printer a
 * backend that keeps every document it was given to the end, ruled by files in `ctl`.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { group, strings } from '../../src/ipp/message.ts';
import { ask } from '../support/printer/ipp-by-hand.ts';
import { freePort } from '../support/ports.ts';
import type { PeerProcess } from '../support/process-group.ts';
import { startProcess, whenListening, whenReady } from '../support/process-group.ts';
import type { PeerLogin } from './pam-guard.ts';
import { guard } from './pam-guard.ts';

export interface Cupsd extends AsyncDisposable {
  /** Its one queue; raw unless said otherwise: what it is given goes to the printer as it is. */
  readonly uri: string;
  readonly socket: string;
  /** Every document that came out, oldest first: one twice when it was printed twice. */
  documents(): Promise<readonly Buffer[]>;
  /** How often it began to print a document. */
  begun(): Promise<number>;
  /** Jobs stay `processing` until `letGo`. */
  hold(): Promise<void>;
  letGo(): Promise<void>;
  /** Said by the backend when a job begins: `STATE: +media-empty-error`, `ERROR: The printer is not responding.` */
  say(line: string): Promise<void>;
  /** With what the backend ends, before anything came out; the error policy says what follows. */
  exitWith(code: number): Promise<void>;
  /** `cupsdisable`, `cupsreject`, `lpadmin` … on this CUPS. */
  administer(program: string, ...args: readonly string[]): Promise<void>;
  /** Ends it with the signal and starts it again; `between` is done while it is away. */
  restart(signal: 'SIGTERM' | 'SIGKILL', between?: () => Promise<void>): Promise<void>;
  /** Files with documents in its spool: what lies there in clear (INVARIANTS.md I4). */
  keptFiles(): Promise<readonly string[]>;
  /** Takes away every job it has on disk; only while it is away. */
  emptySpool(): Promise<void>;
  /** Has it read its configuration again, as an administrator's change does: it ends idle connections for that. */
  reload(): void;
  switchOff(): Promise<void>;
}

export const queueName = 'office';

export interface CupsdOptions {
  readonly errorPolicy?: string;
  /** A device URI of CUPS; the backend described above by default. */
  readonly device?: string;
  readonly preserveJobFiles?: 'Yes' | 'No';
  /** `everywhere`: driverless, what is sent goes through the filters of CUPS to an IPP printer. A path: of a PPD file. */
  readonly model?: 'raw' | 'everywhere' | `/${string}`;
  /** A backend of the test's own, run as root. */
  readonly backend?: { readonly name: string; readonly script: string };
  /** Seconds until what it knows of its jobs is on disk; CUPS ships 30. */
  readonly dirtyCleanInterval?: number;
  /** `stock`: names and owners of jobs are hidden from everybody but their owners (cupsd.conf(5), JobPrivateValues). */
  readonly jobPrivacy?: 'stock' | 'none';
  /** Lines of cupsd.conf for the queue's own `<Location>`: who may print, and how. */
  readonly location?: string;
  /** Whom PAM knows there. */
  readonly login?: PeerLogin;
  /** Another address of this computer, where it listens as well: from loopback CUPS demands no TLS. */
  readonly host?: string;
}

/** cups-files.conf(5) */
const filesConfig = (folder: string) => `ServerRoot ${folder}/etc
ServerBin ${folder}/bin
DataDir /usr/share/cups
RequestRoot ${folder}/spool
TempDir ${folder}/spool/tmp
CacheDir ${folder}/cache
StateDir ${folder}/run
ServerKeychain ${folder}/etc
AccessLog ${folder}/access
ErrorLog stderr
PageLog ${folder}/page
SystemGroup root
SyncOnClose No
`;

/** cupsd.conf(5): of jobs, what Debian ships; the administrator is whoever asks from this computer. */
const serverConfig = (
  folder: string,
  port: number,
  { preserveJobFiles = 'No', dirtyCleanInterval = 0, jobPrivacy = 'stock', location, host }: CupsdOptions,
) => `Listen 127.0.0.1:${port}
${host === undefined ? '' : `Listen ${host}:${port}`}
Listen ${folder}/cups.sock
LogLevel warn
DefaultEncryption Never
DefaultAuthType None
Browsing Off
WebInterface No
JobRetryInterval 1
DirtyCleanInterval ${dirtyCleanInterval}
PreserveJobFiles ${preserveJobFiles}
<Location />
  Order allow,deny
</Location>
${location === undefined ? '' : `<Location /printers/${queueName}>\n${location}\n</Location>`}
<Policy default>
  JobPrivateAccess default
  JobPrivateValues ${jobPrivacy === 'stock' ? 'default' : 'none'}
  SubscriptionPrivateAccess default
  SubscriptionPrivateValues default
  <Limit Send-Document Send-URI Hold-Job Release-Job Restart-Job Purge-Jobs Set-Job-Attributes Close-Job>
    Require user @OWNER @SYSTEM
    Order deny,allow
  </Limit>
  <Limit Cancel-Job CUPS-Authenticate-Job>
    Require user @OWNER @SYSTEM
    Order deny,allow
  </Limit>
  <Limit All>
    Order deny,allow
  </Limit>
</Policy>
`;

/** backend(7): job user title copies options [file]; without arguments it names its devices. */
const backend = (ctl: string) => `#!/bin/sh
[ $# -eq 0 ] && exit 0
[ $# -ge 6 ] && exec <"$6"
out="${ctl}/out/$(date +%s%N)"
touch "$out.begun"
[ -f "${ctl}/say" ] && cat "${ctl}/say" >&2
while [ -e "${ctl}/hold" ]; do sleep 0.05; done
[ -f "${ctl}/exit" ] && exit "$(cat "${ctl}/exit")"
cat >"$out.part" && mv "$out.part" "$out.whole"
`;

export async function startCupsd(options: CupsdOptions = {}): Promise<Cupsd> {
  const { errorPolicy = 'abort-job', device = 'kept:/here', model = 'raw' } = options;
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-cupsd-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const [ctl, bin, etc] = [join(folder, 'ctl'), join(folder, 'bin'), join(folder, 'etc')];
  for (const path of [join(ctl, 'out'), join(bin, 'backend'), etc]) await mkdir(path, { recursive: true });
  for (const path of ['spool/tmp', 'cache', 'run']) await mkdir(join(folder, path), { recursive: true });
  // Backends run as a user of their own.
  await chmod(join(ctl, 'out'), 0o777);
  for (const name of ['daemon', 'notifier', 'filter'])
    await symlink(`/usr/lib/cups/${name}`, join(bin, name));
  for (const name of ['ipp', 'socket'])
    await symlink(`/usr/lib/cups/backend/${name}`, join(bin, 'backend', name));
  await writeFile(join(bin, 'backend/kept'), backend(ctl), { mode: 0o755 });
  const { name: ownName, script } = options.backend ?? {};
  if (ownName && script) await writeFile(join(bin, 'backend', ownName), script, { mode: 0o700 });
  const port = await freePort();
  const [files, server, socket] = ['cups-files.conf', 'cupsd.conf', 'cups.sock'].map((name) =>
    join(folder, name),
  );
  await writeFile(String(files), filesConfig(folder));
  await writeFile(String(server), serverConfig(folder, port, options));

  const guarded = options.login && (await guard(folder, options.login));

  const administer = async (program: string, ...args: readonly string[]) =>
    void (await promisify(execFile)(program, args, {
      env: { ...process.env, CUPS_SERVER: `127.0.0.1:${port}`, PATH: `${process.env['PATH']}:/usr/sbin` },
    }));
  const start = async () => {
    const daemon = await startProcess('cupsd', ['-f', '-c', String(server), '-s', String(files)], {
      ...guarded,
      PATH: `${process.env['PATH']}:/usr/sbin`,
    });
    await whenListening('cupsd', port, daemon);
    return daemon;
  };
  let daemon = await start();
  opening.defer(() => daemon[Symbol.asyncDispose]());
  await administer(
    'lpadmin',
    ...['-p', queueName, '-E', '-v', device, model.startsWith('/') ? '-P' : '-m', model],
    ...['-o', `printer-error-policy=${errorPolicy}`],
  );
  if (model === 'everywhere') await untilDriverless(port);
  const running = opening.move();

  const hold = join(ctl, 'hold');
  return {
    uri: `cups://${options.host ?? '127.0.0.1'}:${port}/${queueName}`,
    socket: String(socket),
    async documents() {
      const names = (await readdir(join(ctl, 'out'))).filter((name) => name.endsWith('.whole'));
      return Promise.all(names.sort().map((name) => readFile(join(ctl, 'out', name))));
    },
    async begun() {
      return (await readdir(join(ctl, 'out'))).filter((name) => name.endsWith('.begun')).length;
    },
    hold: () => writeFile(hold, ''),
    async letGo() {
      if (existsSync(hold)) await unlink(hold);
    },
    say: (line) => writeFile(join(ctl, 'say'), `${line}\n`),
    exitWith: (code) => writeFile(join(ctl, 'exit'), String(code)),
    administer,
    async keptFiles() {
      return (await readdir(join(folder, 'spool'))).filter((name) => /^d\d/.test(name));
    },
    async emptySpool() {
      const spool = join(folder, 'spool');
      for (const file of await readdir(spool, { withFileTypes: true }))
        if (file.isFile()) await unlink(join(spool, file.name));
    },
    async restart(signal, between) {
      await end(daemon, signal);
      await between?.();
      daemon = await start();
    },
    reload: () => daemon.signal('SIGHUP'),
    switchOff: () => end(daemon, 'SIGTERM'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/**
 * lpadmin is told that the queue is there before cupsd has learned from the printer what to make of a document. Until
 * then it is a raw one: it says that it takes every type that CUPS knows, and hands on what it is given.
 */
async function untilDriverless(port: number): Promise<void> {
  const queue = { uri: `ipp://127.0.0.1:${port}/printers/${queueName}` };
  await whenReady('the driverless queue of cupsd', async () => {
    const { message } = await ask(queue, { operation: 'Get-Printer-Attributes' });
    const formats = strings(group(message, 'printer-attributes'), 'document-format-supported');
    const isRaw = formats.includes('application/msword');
    if (isRaw || !formats.includes('application/pdf')) throw new Error(`still raw: ${formats.join()}`);
  });
}

async function end(daemon: PeerProcess, signal: NodeJS.Signals): Promise<void> {
  daemon.signal(signal);
  await daemon.exited;
}
