/**
 * `platen trust`: shows the certificate authorities that the service offers as trust anchors (spec, Certificates). It
 * writes the authorities whose fingerprints the administrator has compared into a file for `cloud.caFile`. It changes
 * no trust itself: it uses a connection that is already trusted, and a person changes the configuration. With
 * `--printer` it is about a printer: see `printer.ts`.
 */
import { readFileSync } from 'node:fs';
import type { Cloud } from '../../cloud/client.ts';
import type { Certificate } from '../../cloud/resources/certificates.ts';
import { loadConfig, loadConfigWithoutSecrets } from '../../config/load.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import { noteDeed } from '../deed.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import type { NewFile } from '../new-file.ts';
import type { UserOptions } from '../service-access.ts';
import { atService, loginAs } from '../service-access.ts';
import { table } from '../terminal-text/table.ts';
import { unreadable } from '../unreadable.ts';
import { trustPrinter } from './printer.ts';

export interface TrustOptions extends Partial<UserOptions> {
  readonly config: string;
  /** A terminal: the command is about its printer, not about the service. */
  readonly printer?: string;
  readonly save?: NewFile;
  /** SHA-256: capital hex digits, in pairs with colons. */
  readonly fingerprint?: readonly string[];
  readonly json?: boolean;
}

export async function trustCommand(options: TrustOptions, io: Io): Promise<number> {
  const { printer, fingerprint: compared = [], json } = options;
  using save = options.save;
  if (printer !== undefined) {
    if (save === undefined && options.user === undefined) {
      const config = loadConfigWithoutSecrets(options.config, io.env);
      return trustPrinter({ printer, fingerprint: compared, json }, config, io);
    }
    io.error('platen: give --printer only with --fingerprint and --json');
    return exitCode.usage;
  }
  if ((save === undefined) !== (compared.length === 0)) {
    io.error(
      'platen: give --save FILE together with a --fingerprint for each authority that you have compared',
    );
    return exitCode.usage;
  }
  const config = loadConfig(options.config, io.env);
  const offered = await atService(config, io, (cloud) => authoritiesAt(cloud, options, io));
  io.out(json ? JSON.stringify((offered ?? []).map(shown), undefined, 2) : describe(offered));
  if (save !== undefined) {
    const pem = pick(offered ?? [], compared);
    const tell = json ? io.error : io.out;
    tell(`${save.path}: ${saveTrustFile(save, pem)}`);
    await noteDeed(config, io, { action: 'trust', changed: compared });
    tell(whatToConfigure({ file: save.path, pem, present: config.cloud.caFile }));
  }
  return exitCode.ok;
}

/** Each authority once, even if both lists of the service have it. `undefined` if the service offers no list. */
async function authoritiesAt(
  cloud: Cloud,
  { user, passwordFile }: TrustOptions,
  io: Io,
): Promise<readonly Certificate[] | undefined> {
  const { stop: signal } = io;
  const { certificates } = cloud.directory();
  const ask = async (caller: CallerOptions) => {
    const lists = [await certificates.authorities(caller), await certificates.roots(caller)];
    if (lists.every((list) => list === undefined)) return undefined;
    const all = lists.flatMap((list) => list ?? []);
    return [...new Map(all.map((one) => [one.fingerprint, one])).values()];
  };
  try {
    return await ask({ signal });
  } catch (error) {
    if (!isProblem(error, 'cloud-denied')) throw error;
    if (user === undefined) {
      const message = `${error.message}; give a user who may see them with --user NAME`;
      throw new Problem('cloud-denied', message, { cause: error });
    }
    return ask({ signal, token: await loginAs(cloud, { user, passwordFile }, io) });
  }
}

/** The PEM of the authorities with these fingerprints, in the order of the service. */
function pick(offered: readonly Certificate[], compared: readonly string[]): string {
  const missing = compared.filter((one) => !offered.some(({ fingerprint }) => fingerprint === one));
  if (missing.length > 0) {
    throw new CommandFailed(
      `nothing was written: the service offers no authority with ${missing.join(', ')}`,
    );
  }
  return offered
    .filter(({ fingerprint }) => compared.includes(fingerprint))
    .map(({ pem }) => pem)
    .join('');
}

function whatToConfigure(trust: { file: string; pem: string; present: string | undefined }): string {
  const { file, pem, present } = trust;
  if (present === undefined) return `Write into the configuration: cloud.caFile: ${file}`;
  return present.includes(pem)
    ? 'The cloud.caFile of the configuration already contains it.'
    : `The configuration has a cloud.caFile: add the content of ${file} to it, so that both are trusted.`;
}

function describe(offered: readonly Certificate[] | undefined): string {
  if (!offered) return 'This server offers no authorities. Gateways never do. Ask a primary server.';
  if (offered.length === 0) return 'The service has no authorities to offer.';
  const rows = offered.map(({ alias = '-', subject, issuer, notAfter, fingerprint }) => [
    alias,
    subject,
    issuer,
    notAfter.slice(0, 10),
    fingerprint,
  ]);
  return [
    table([['ALIAS', 'SUBJECT', 'ISSUER', 'VALID UNTIL', 'SHA-256 FINGERPRINT'], ...rows]),
    '',
    'Platen trusts none of these yet. Get the fingerprint from a source that you trust and compare it. Then add',
    '--save FILE --fingerprint SHA256',
  ].join('\n');
}

const shown = ({ pem: _, ...facts }: Certificate) => facts;

/** The file for `cloud.caFile`. An existing file is never replaced. */

/** Throws `CommandFailed`; the file is unchanged then. */
function saveTrustFile(file: NewFile, pem: string): 'written' | 'there already' {
  if (file.isNew) {
    file.write(pem);
    return 'written';
  }
  if (contentOf(file.path) === pem) return 'there already';
  throw new CommandFailed(`${file.path}: exists already with other content. Give another file`);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}
