/**
 * The queue of a spooler: how it is addressed, `cups:QUEUE` on this computer and `cups://host[:631]/QUEUE` elsewhere,
 * and whether it keeps from printing again by itself (INVARIANTS.md D15). A queue's name is of a few characters
 * alone (T18): it stands in a path, and in advice that people copy.
 */
import type { QueueDescription } from '../ports/printer-description.ts';

export interface SpoolerQueue {
  readonly name: string;
  /** `host[:port]` as in a URL; absent: this computer. */
  readonly server?: string;
}

const form =
  /^cups:(?:\/\/(?<server>(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?)\/)?(?<name>[A-Za-z0-9_.-]{1,127})$/;

/** `undefined` for what is no such address. */
export function spoolerQueue(uri: string): SpoolerQueue | undefined {
  const { server, name } = form.exec(uri)?.groups ?? {};
  if (name === undefined || (server !== undefined && !URL.canParse(`http://${server}/`))) return undefined;
  return server === undefined ? { name } : { name, server };
}

/** What the administrator must do before nothing is printed twice; `undefined`: nothing. */
export function complaintAbout({ name, errorPolicy, isClass }: QueueDescription): string | undefined {
  if (isClass)
    return `${name} is a class, and each queue in it has its own error policy: name a queue instead`;
  if (errorPolicy === 'abort-job') return undefined;
  const now = errorPolicy === '' ? 'is not told' : `is ${errorPolicy}, so CUPS prints a failed job again`;
  return `the error policy of ${name} ${now}: lpadmin -p ${name} -o printer-error-policy=abort-job`;
}
