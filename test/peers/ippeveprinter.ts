/**
 * The IPP Everywhere printer of CUPS as a peer: a real printer's protocol without the printer. It needs a D-Bus system
 * bus (for DNS-SD) and gets a private, empty one. The command it runs for each job is ruled by files in `ctl`.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/ports.ts';
import { startProcess, whenListening, whenReady } from '../support/process-group.ts';
import type { PeerLogin } from './pam-guard.ts';
import { guard } from './pam-guard.ts';

export interface IppEvePrinter extends AsyncDisposable {
  /** `ipp://localhost:PORT/ipp/print`; the same port speaks ipps with a certificate of its own making. */
  readonly uri: string;
  /** PEM; made when it is first asked over TLS, and signed by itself. */
  certificate(): Promise<string>;
  /** Every document it kept, oldest first, whatever became of its job. */
  documents(): Promise<readonly Buffer[]>;
  /** The environment of the last job's command: `IPP_COPIES`, `IPP_SIDES` … */
  lastJob(): Promise<Readonly<Record<string, string>>>;
  /** Jobs stay `processing` until `letGo`. */
  hold(): Promise<void>;
  letGo(): Promise<void>;
  /** Said by the command on standard error at its start: `STATE: +media-jam`, `ATTR: job-impressions-completed=4`. */
  say(lines: string): Promise<void>;
  /** With what the command ends; anything but 0 aborts the job. */
  exitWith(code: number): Promise<void>;
  /** Sheets in every tray. */
  fillTrays(sheets: number): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

const usualFormats = 'application/pdf,image/pwg-raster,image/urf';

const busConfig = (socket: string) => `<busconfig><type>system</type><listen>unix:path=${socket}</listen>
<auth>EXTERNAL</auth><policy context="default"><allow user="*"/><allow own="*"/><allow eavesdrop="true"/>
<allow send_destination="*" eavesdrop="true"/></policy></busconfig>`;

const command = `#!/bin/sh
env | grep '^IPP_' >"$CTL/last.env"
[ -f "$CTL/say" ] && cat "$CTL/say" >&2
while [ -e "$CTL/hold" ]; do sleep 0.05; done
exit "$(cat "$CTL/exit" 2>/dev/null || echo 0)"
`;

export interface IppEveOptions {
  /** What it takes, with commas between. */
  readonly formats?: string;
  /** Absent: a free one. Another printer on the port of one that has gone has another certificate and the same uuid. */
  readonly port?: number;
  /** Whom it lets print; checked by PAM, asked for by HTTP Basic. */
  readonly login?: PeerLogin;
}

export async function startIppEvePrinter(options: IppEveOptions = {}): Promise<IppEvePrinter> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-ippeveprinter-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const spool = join(folder, 'spool');
  const keys = join(folder, 'keys');
  const ctl = join(folder, 'ctl');
  for (const path of [spool, keys, ctl]) await mkdir(path);
  const script = join(folder, 'printer.sh');
  await writeFile(script, command, { mode: 0o755 });

  const bus = join(folder, 'bus');
  await writeFile(join(folder, 'bus.conf'), busConfig(bus));
  const broker = opening.use(
    await startProcess('dbus-daemon', [`--config-file=${folder}/bus.conf`, '--nofork', '--nopidfile'], {}),
  );
  await whenReady(
    'dbus-daemon',
    () => {
      if (!existsSync(bus)) throw new Error('it has no socket yet');
    },
    broker,
  );

  const { formats = usualFormats } = options;
  const port = options.port ?? (await freePort());
  const guarded = options.login && (await guard(folder, options.login));
  const printer = opening.use(
    await startProcess(
      'ippeveprinter',
      // -r off: no DNS-SD; -K: its keys; -k -d: documents are kept; -2: two-sided; -c: the command
      `-r off -p ${port} -n localhost -d ${spool} -K ${keys} -k -v -2 -s 60,60 -c ${script} -f ${formats}${guarded ? ' -A --pam-service lab' : ''} Lab`.split(
        ' ',
      ),
      {
        ...guarded,
        CTL: ctl,
        DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${bus}`,
        PATH: `${process.env['PATH']}:/usr/sbin`,
      },
    ),
  );
  await whenListening('ippeveprinter', port, printer);
  const running = opening.move();

  const hold = join(ctl, 'hold');
  return {
    uri: `ipp://localhost:${port}/ipp/print`,
    certificate: () => readFile(join(keys, 'localhost.crt'), 'utf8'),
    async documents() {
      const names = (await readdir(spool)).filter((name) => /\.(pdf|pwg|urf)$/.test(name));
      const byJob = names.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
      return Promise.all(byJob.map((name) => readFile(join(spool, name))));
    },
    async lastJob() {
      const lines = (await readFile(join(ctl, 'last.env'), 'utf8')).trim().split('\n');
      return Object.fromEntries(
        lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
      );
    },
    hold: () => writeFile(hold, ''),
    letGo: () => unlink(hold),
    say: (lines) => writeFile(join(ctl, 'say'), `${lines}\n`),
    exitWith: (code) => writeFile(join(ctl, 'exit'), String(code)),
    async fillTrays(sheets) {
      const trays = Array.from(
        { length: 10 },
        (_, n) => `size${n}=iso_a4_210x297mm&type${n}=stationery&level${n}=${sheets}`,
      );
      await fetch(`http://localhost:${port}/media?${trays.join('&')}`);
    },
    signal: (name) => printer.signal(name),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
