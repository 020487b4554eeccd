/**
 * A support bundle before it is an archive. A piece that cannot be had (no agent runs, no systemd, a damaged ledger) is
 * left out with the reason, and spoils none of the others.
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
  /** A file to take the log from, where it goes neither to the journal nor to a running agent. */
  readonly log?: string;
  /** Of the unit, as journalctl(1) prints it. */
  readonly journal: Promise<string | undefined>;
  /** Who reads the service's audit log, and the file with the password; absent: it is not asked for. */
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
  /** The one that tells of the others comes first. */
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

/** Says what is in it and what is not, for whoever must allow that it is passed on. */
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
 * Takes out of a text what must not be in it: known secrets, in the forms a program may have given them, and the
 * addresses of this machine. The second lock (INVARIANTS.md T20): no piece of a bundle is meant to hold a secret.
 */
interface Unwanted {
  readonly secrets: readonly string[];
  /** IP and MAC addresses. */
  readonly addresses: readonly string[];
}

/** A shorter one is found by chance in any text. */
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

/** Not as a part of a longer one; behind an address of IPv4 there may be a port. */
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
