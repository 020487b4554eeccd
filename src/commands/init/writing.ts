/**
 * How `platen init` writes: it shows the changes, keeps the old file, and stores the key first. So the configuration
 * never names a missing key.
 */
import type { ConfigDraft } from '../../config/config-edit.ts';
import { systemChance } from '../../core/chance.ts';
import { isoInstant, systemClock } from '../../core/clock.ts';
import { printable } from '../../core/text/printable.ts';
import type { Secret } from '../../core/secret.ts';
import type { Io } from '../io.ts';
import type { Reader } from './file.ts';
import { isForAgent, replaceFile } from './file.ts';
import type { KeyPlace } from './service/key.ts';
import { forgetOldKey, keepKey } from './service/key.ts';
import type { Vault } from './service/sealed.ts';

export interface Writing extends Reader {
  readonly vault: Vault | undefined;
  readonly file: string;
  /** The old text of the file. */
  readonly before: string | undefined;
  readonly draft: ConfigDraft;
  /** Only a new key. */
  readonly key: Secret | undefined;
  readonly sealingKey: Secret | undefined;
  /** Where the key is to be stored. */
  readonly place: KeyPlace | undefined;
}

export async function isToWrite({ file, before, draft, key, place, reader }: Writing): Promise<boolean> {
  if (before === undefined || key || draft.changes.length > 0) return true;
  return (
    !(await isForAgent(file, { reader })) ||
    (place?.kind === 'file' && place.now !== '' && !(await isForAgent(place.path, { reader })))
  );
}

export function differences({
  file,
  before,
  draft,
  key,
  sealingKey,
  place,
  vault,
}: Writing): readonly string[] {
  return [
    before === undefined ? `${file} is new:` : `${file} changes:`,
    ...draft.changes.map(({ path, from, to }) => {
      // The key may be in the configuration file itself.
      if (path === 'cloud.apiKey') {
        return `  ${path}: ${place?.kind === 'sealed' ? sealedInWords(vault) : 'in a file of its own'}`;
      }
      return printable(`  ${path}: ${before === undefined || from === undefined ? '' : `${from} -> `}${to}`);
    }),
    ...(key ? ['  the API key: a new one (not shown)'] : []),
    ...(vault?.hasIdleTpm && (place?.kind === 'sealed' || sealingKey) ? [idleTpm] : []),
  ];
}

function sealedInWords(vault: Vault | undefined): string {
  const by = vault?.sealsWith;
  const how = by === 'host' ? 'host: the key is on the disk of this machine' : by;
  return `sealed, for this machine alone${how === undefined ? '' : ` (${how})`}`;
}

const idleTpm =
  '  WARNING: this machine has a TPM (/dev/tpmrm0), but the seal does not use it. A person who copies the disk can open the seal. ' +
  'systemd-creds has-tpm2 shows what is missing. Then seal the key again (/opt/platen/systemd/configure.md, Secrets).';

export async function write(writing: Writing, io: Io): Promise<void> {
  const { file, before, draft, sealingKey, place, vault, reader } = writing;
  const how = { reader, chance: systemChance };
  if (place) await keepKey(place, writing);
  if (sealingKey) await vault?.seal('sealing-key', sealingKey);
  const text = draft.text();
  if (before !== undefined && before !== text) {
    const copy = `${file}.${isoInstant(systemClock.now()).replaceAll(':', '-')}`;
    await replaceFile(copy, before, how);
    io.out(`The old file was kept as ${copy}`);
  }
  await replaceFile(file, text, how);
  if (place) await forgetOldKey(place);
}
