/**
 * `platen support-bundle`: one archive of mode 0600 with everything that support needs, and without private data
 * (INVARIANTS.md I5, T20). It only reads. It works with a running agent, with a stopped one, and with a broken
 * configuration.
 */
import { gzipSync } from 'node:zlib';
import { isoInstant, systemClock } from '../../core/clock.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import type { NewFile } from '../new-file.ts';
import type { Bundle, BundleOptions } from './bundle.ts';
import { makeBundle } from './bundle.ts';
import { tarOf } from './tar.ts';
import { table } from '../terminal-text/table.ts';

export interface SupportBundleOptions extends BundleOptions {
  readonly output: NewFile;
  readonly force?: boolean;
  readonly json?: boolean;
}

export async function supportBundleCommand(options: SupportBundleOptions, io: Io): Promise<number> {
  const { force, json } = options;
  using output = options.output;
  if (!output.isNew) {
    const cure = force ? ', and is not a file' : '; --force overwrites it';
    throw new CommandFailed(`${output.path} exists already${cure}`);
  }
  const bundle = await makeBundle(options, io);
  output.write(archiveOf(bundle));
  io.out(
    json ? JSON.stringify(summaryOf(bundle, output.path), undefined, 2) : summaryText(bundle, output.path),
  );
  return exitCode.ok;
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

function summaryText(bundle: Bundle, output: string): string {
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
    `${output}: only you can read it until you pass it on. To see all of it: tar -xOzf ${output}`,
  ].join('\n');
}
