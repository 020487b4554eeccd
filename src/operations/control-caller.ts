/**
 * The user id of whoever called the command, by its own word (`commands/caller.ts`): Node does not tell whose process is
 * at the other end of a socket (SO_PEERCRED), and more than the socket's mode says of it nobody knows here.
 */

export const callerHeader = 'platen-uid';

export function callerIn(headers: Readonly<Record<string, unknown>>): number | undefined {
  const said = headers[callerHeader];
  return typeof said === 'string' && /^\d{1,10}$/.test(said) ? Number(said) : undefined;
}
