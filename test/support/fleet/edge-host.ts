/**
 * An engine at its edges: its disk is small and can be filled, its certificate and its authority change, gateways come in
 * by a role that can lose its rights, and each line may be slow, silent or cut. Its lines are relays of the test.
 */
import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from '../certificates.ts';
import { identityOf, makeCertificate } from '../certificates.ts';
import { layLine } from '../cut-line.ts';
import { diceOf } from '../dice.ts';
import { mountSmallDisk } from '../small-disk.ts';
import type { Weather } from '../slow-line.ts';
import { laySlowLine } from '../slow-line.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { EngineHost, EngineLine } from './engine-host.ts';
import { proveItself } from './engine-host.ts';
import type { Postgres } from './postgres.ts';
import { startPostgres } from './postgres.ts';

export interface EdgeLine extends EngineLine {
  slow(weather: Weather): void;
  /** Whoever comes by it believes these authorities, from when its file is read again. */
  believe(...authorities: readonly Certificate[]): void;
}

export interface EdgeHost extends EngineHost {
  readonly lines: readonly EdgeLine[];
  /** By which gateways come in; it owns their databases. */
  readonly role: string;
  /** Whoever has signed what the engine shows now. */
  authority(): Certificate;
  /** A certificate of a new authority is shown from now on, to whoever connects. */
  showNext(): Promise<Certificate>;
  /** Nothing more can be written. */
  fillDisk(): void;
  freeDisk(): void;
}

/** With room for some copies of the engine. */
const diskSize = '320m';
/** Segments of 16 MiB that are kept; else the log of changes grows to a gigabyte. */
const settings = ['max_wal_size=64MB', 'min_wal_size=32MB'];
const rolePassword = 'of gateways';

export async function startEdgeHost(count: number): Promise<EdgeHost> {
  if (process.getuid?.() !== 0) throw new Error('only root may mount the disk of an engine at its edges');
  await using opened = new AsyncDisposableStack();
  const mount = (folder: string) => mountSmallDisk(folder, { size: diskSize });
  const postgres = opened.use(await startPostgres(settings, [], mount));
  const role = 'gateways';
  await postgres.query(`CREATE ROLE ${role} LOGIN PASSWORD '${rolePassword}'`);
  const { path } = opened.use(temporaryDirectory());
  let shown = await show(postgres);
  const lines: EdgeLine[] = [];
  for (let index = 0; index < count; index += 1) {
    const ca = join(path, `authorities-${index}.pem`);
    const slow = opened.use(await laySlowLine(postgres.port, diceOf(index)));
    const line = opened.use(await layLine(slow.port));
    const believe = (...authorities: readonly Certificate[]) =>
      writeFileSync(ca, authorities.map(({ pem }) => pem).join('\n'));
    believe(shown);
    lines.push({
      cut: () => line.cut(),
      silence: (way) => line.silence(way),
      slow: (weather) => slow.become(weather),
      mend() {
        slow.become(undefined);
        line.mend();
      },
      believe,
      url: (plain) =>
        plain
          .replace(/\/\/[^@]*@/, `//${role}:${encodeURIComponent(rolePassword)}@`)
          .replace(`:${postgres.port}/`, `:${line.port}/`)
          .concat(`?sslmode=verify-full&sslrootcert=${ca}`),
    });
  }
  const filler = join(postgres.folder, 'filler');
  const held = opened.move();
  return {
    lines,
    role,
    cuts: 'relays of the test, for the kernel delays nothing',
    postgres: {
      ...postgres,
      async newDatabase() {
        const url = await postgres.newDatabase();
        await postgres.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO ${role}`);
        return url;
      },
    },
    line(index) {
      const line = lines[index];
      if (line === undefined) throw new RangeError('no such line');
      return line;
    },
    authority: () => shown,
    async showNext() {
      shown = await show(postgres);
      return shown;
    },
    fillDisk() {
      const { bavail, bsize } = statfsSync(postgres.folder);
      execFileSync('fallocate', ['-l', String(bavail * bsize), filler]);
    },
    freeDisk: () => rmSync(filler, { force: true }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Connections that stand go on. */
async function show(postgres: Postgres): Promise<Certificate> {
  const authority = makeCertificate({ commonName: `Authority ${performance.now()}` });
  const certificate = makeCertificate({ commonName: 'engine', hosts: ['127.0.0.1'], issuer: authority });
  await proveItself(postgres, identityOf(certificate));
  return authority;
}
