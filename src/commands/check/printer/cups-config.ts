/**
 * The configuration of this computer's CUPS (cupsd.conf(5)), as far as it tells whether a printed document stays on the
 * disk (INVARIANTS.md D15): nobody tells that over IPP, and the file is not everybody's to read.
 */
import { readFile } from 'node:fs/promises';
import { spoolerQueue } from '../../../domain/printer/spooler-queue.ts';

const file = '/etc/cups/cupsd.conf';

/** What to do about it where documents are kept, or what is to be done by whoever can see it. */
export async function keepingOf(uri: string, path = file): Promise<{ complaint: string } | { told: string }> {
  const isHere = spoolerQueue(uri)?.server === undefined;
  const text = isHere ? await readFile(path, 'utf8').catch(() => undefined) : undefined;
  if (text === undefined) {
    return { told: 'PreserveJobFiles cannot be read from here. It must be No in cupsd.conf' };
  }
  const said = [...text.matchAll(/^[ \t]*PreserveJobFiles[ \t]+(\S+)/gim)].at(-1)?.[1];
  if (said !== undefined && /^(no|off|false|0)$/i.test(said)) return { told: 'PreserveJobFiles is No' };
  const now = said === undefined ? 'is not set, so CUPS keeps documents for a day' : `is ${said}`;
  return { complaint: `PreserveJobFiles ${now}. Write PreserveJobFiles No into ${path} and restart CUPS` };
}
