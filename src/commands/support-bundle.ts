/**
 * `platen support-bundle`: all that support asks for in one archive of mode 0600, with nothing that is not for others
 * (reliability.md I5, T20). It reads only, beside a running agent, of a stopped one, and with a broken configuration.
 */
import { closeSync, fsyncSync, lstatSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { isoInstant, systemClock } from '../core/clock.ts';
import { CommandFailed } from './failure.ts';
import type { Io } from './io.ts';
import { exitCode } from './io.ts';
import type { Bundle, BundleOptions } from './support/bundle.ts';
import { makeBundle } from './support/bundle.ts';
import { tarOf } from './support/tar.ts';
import { table } from './table.ts';

export interface SupportBundleOptions extends BundleOptions {
  readonly output: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export async function supportBundleCommand(options: SupportBundleOptions, io: Io): Promise<number> {
  const { output, json } = options;
  // First: nobody should wait for a bundle that has no place.
  const file = placeFor(options);
  let bundle: Bundle;
  try {
    bundle = await makeBundle(options, io);
    writeFileSync(file, archiveOf(bundle));
    fsyncSync(file);
  } catch (error) {
    rmSync(output, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  io.out(json ? JSON.stringify(summaryOf(bundle, output), undefined, 2) : told(bundle, output));
  return exitCode.ok;
}

/** Never through a link, and over what is there only where that is a file or a link, and asked for. */
function placeFor({ output, force }: SupportBundleOptions): number {
  try {
    if (force && isReplaceable(output)) rmSync(output);
    return openSync(output, 'wx', 0o600);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    const cure = force ? ', and is no file' : '; --force overwrites it';
    const help = code === 'EEXIST' ? `is there already${cure}` : `cannot be made (${code})`;
    throw new CommandFailed(`${output} ${help}`, { cause });
  }
}

function isReplaceable(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.isFile() || found.isSymbolicLink());
}

function archiveOf({ taken }: Bundle): Buffer {
  const modifiedAt = systemClock.now();
  const folder = `platen-support-${isoInstant(modifiedAt).slice(0, 19).replaceAll(':', '')}`;
  return gzipSync(
    tarOf(
      taken.map(({ name, text }) => ({ name: `${folder}/${name}`, text })),
      { modifiedAt },
    ),
  );
}

const summaryOf = ({ taken, leftOut }: Bundle, output: string) => ({
  file: output,
  taken: taken.map(({ name, text, what }) => ({ name, octets: Buffer.byteLength(text), what })),
  leftOut,
});

function told(bundle: Bundle, output: string): string {
  const { taken, leftOut } = summaryOf(bundle, output);
  return [
    table([
      ['FILE', 'OCTETS', 'WHAT'],
      ...taken.map(({ name, octets, what }) => [name, String(octets), what]),
    ]),
    ...(leftOut.length === 0
      ? []
      : ['', 'left out:', table(leftOut.map(({ name, reason }) => [name, reason]))]),
    '',
    `${output}: for nobody but you until you pass it on; tar -xOzf ${output} shows all of it`,
  ].join('\n');
}
