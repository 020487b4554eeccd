/**
 * The content of a support bundle before it becomes an archive. If a piece is not available (no agent, no systemd, a
 * damaged ledger), it is left out with the reason, and all other pieces stay.
 */
import { printable } from '../../core/text/printable.ts';
import { version } from '../../core/version.ts';
import { tellMistakes } from '../config-part.ts';
import type { Io } from '../io.ts';
import { runProgramOf } from '../program.ts';
import { table } from '../terminal-text/table.ts';
import { knownConfig } from './config.ts';
import { ownAddresses } from './machine.ts';
import { piecesFrom } from './pieces.ts';
import { pseudonyms } from './pseudonyms.ts';
import type { TarFile } from './tar.ts';

export interface BundleOptions {
  readonly config: string;
  /** A log file, if the log goes neither to the journal nor to a running agent. */
  readonly log?: string;
  /** The journal of the unit, as journalctl(1) prints it. */
  readonly journal: Promise<string | undefined>;
  /** The user for the service's audit log, and the file with the password. Absent: the log is not asked for. */
  readonly user?: string;
  readonly passwordFile?: string;
}

export interface TakenPiece extends TarFile {
  readonly what: string;
}

export interface LeftOutPiece {
  readonly name: string;
  readonly reason: string;
}

export interface Bundle {
  /** The piece that explains the others comes first. */
  readonly taken: readonly TakenPiece[];
  readonly leftOut: readonly LeftOutPiece[];
}

export async function makeBundle(options: BundleOptions, io: Io): Promise<Bundle> {
  const { config: file, log: logFile, journal, user: reader, passwordFile } = options;
  const known = knownConfig(file, io.env);
  tellMistakes(known.mistakes, io);
  const scrub = createScrub({ secrets: known.secrets, addresses: ownAddresses() });
  const user = reader === undefined ? undefined : { user: reader, passwordFile };
  const pieces = piecesFrom({
    file,
    known,
    logFile,
    journal,
    user,
    io,
    pseudonym: pseudonyms(),
    run: runProgramOf(io.env['PATH']),
  });
  const had = await Promise.all(
    pieces.map(async ({ name, what, text }): Promise<TakenPiece | LeftOutPiece> => {
      try {
        return { name, what, text: scrub(await text()) };
      } catch (error) {
        return { name, reason: scrub(printable(error instanceof Error ? error.message : String(error))) };
      }
    }),
  );
  const bundle = {
    taken: had.filter((piece) => 'text' in piece),
    leftOut: had.filter((piece) => 'reason' in piece),
  };
  const readme = {
    name: 'README.txt',
    what: 'the contents of this bundle, and what it never contains',
    text: readmeText(bundle),
  };
  return { ...bundle, taken: [readme, ...bundle.taken] };
}

/** Tells what is in the bundle and what is not, for the person who must allow its transfer. */
const readmeText = ({ taken, leftOut }: Bundle): string => `Support bundle of Platen ${version}

In it:

${table(taken.map(({ name, what }) => [name, what]))}

${leftOut.length === 0 ? 'Nothing is missing.' : 'Missing:'}

${table(leftOut.map(({ name, reason }) => [name, reason]))}

Never in it: API keys, tokens, passwords, keys and other secrets of the configuration; user names, names, e-mail
addresses; card numbers, PINs and ID numbers; titles and contents of documents; the addresses of this machine.

A person has a pseudonym: the same in the whole of this bundle, and a different one in every other bundle. The key of the
pseudonyms is not kept. Documents and releases have their ids, which the print service knows too.

In it, because support needs them to find a fault: addresses of the print service, of printers and of network readers as
configured. Serial numbers and names of terminals and of the customer's account are in it too, and the times of prints.
`;

/**
 * Removes unwanted text: known secrets in all usual encodings, and the addresses of this machine. This is a second
 * protection (INVARIANTS.md T20), because no piece should have a secret anyway.
 */
interface Unwanted {
  readonly secrets: readonly string[];
  /** IP and MAC addresses. */
  readonly addresses: readonly string[];
}

/** A shorter secret could appear in any text by chance. */
const shortest = 6;

export function createScrub({ secrets, addresses }: Unwanted): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf))];
  const own = addresses.map(patternOf);
  return (text) =>
    own.reduce(
      (clean, address) => clean.replaceAll(address, '[this machine]'),
      forms.reduce((clean, form) => clean.replaceAll(form, '[secret]'), text),
    );
}

/** Not inside a longer address. An IPv4 address may have a port behind it. */
const patternOf = (address: string): RegExp =>
  address.includes(':')
    ? new RegExp(`(?<![\\w:])${address}(?![\\w:])`, 'gi')
    : new RegExp(`(?<![\\d.])${address.replaceAll('.', '\\.')}(?!\\d|\\.\\d)`, 'g');

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
}
