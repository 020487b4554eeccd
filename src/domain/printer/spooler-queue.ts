/**
 * The queue of a spooler, and how it is addressed: `cups:QUEUE` on this computer, `cups://host[:631]/QUEUE` elsewhere
 * and `cupss://host[:631]/QUEUE` over TLS. The file also checks that the queue does not print again by itself
 * (INVARIANTS.md D15). Only a few characters are allowed in a queue's name (T18), because it is part of a path, and of
 * advice that people copy.
 */
import type { QueueDescription } from '../ports/printer-description.ts';

export interface SpoolerQueue {
  readonly name: string;
  /** `host[:port]` as in a URL; absent: this computer. */
  readonly server?: string;
  /** It is spoken to over TLS. */
  readonly isSecure?: true;
}

const form =
  /^(?:cups:|cups(?<secure>s)?:\/\/(?<server>(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?)\/)(?<name>[A-Za-z0-9_.-]{1,127})$/;
const queuePath = /^\/(?:printers|classes)\/([A-Za-z0-9_.-]{1,127})$/;

/** `undefined` if it is no such address. */
export function spoolerQueue(uri: string): SpoolerQueue | undefined {
  const { secure, server, name } = form.exec(uri)?.groups ?? {};
  if (name === undefined || (server !== undefined && !URL.canParse(`http://${server}/`))) return undefined;
  if (server === undefined) return { name };
  return secure === undefined ? { name, server } : { name, server, isSecure: true };
}

/** The queue address to use if an IPP address turns out to be a CUPS queue; `undefined` if it is none. */
export function asQueue(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, host, pathname } = new URL(uri);
  const [, name] = queuePath.exec(pathname) ?? [];
  return name === undefined ? undefined : `${protocol === 'ipps:' ? 'cupss' : 'cups'}://${host}/${name}`;
}

/** The steps that an administrator must take so that nothing prints twice; `undefined` if there are none. */
export function complaintAbout(queue: QueueDescription): string | undefined {
  const { name, errorPolicy, isClass, writtenAs } = queue;
  if (isClass)
    return `${name} is a class, and each queue in it has its own error policy: name a queue instead`;
  if (writtenAs !== undefined)
    return `${name} is a queue of CUPS, which confirms in place of the printer: write uri: ${writtenAs}`;
  if (errorPolicy === 'abort-job') return undefined;
  const now = errorPolicy === '' ? 'is not told' : `is ${errorPolicy}, so CUPS prints a failed job again`;
  return `the error policy of ${name} ${now}: lpadmin -p ${name} -o printer-error-policy=abort-job`;
}
