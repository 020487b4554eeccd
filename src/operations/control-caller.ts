/**
 * The user id of the caller, as the command itself says it (`commands/caller.ts`). Node does not tell which process is
 * at the other end of a socket (SO_PEERCRED). So only the socket's mode limits the callers.
 */

export const callerHeader = 'platen-uid';

export function callerIn(headers: Readonly<Record<string, unknown>>): number | undefined {
  const said = headers[callerHeader];
  return typeof said === 'string' && /^\d{1,10}$/.test(said) ? Number(said) : undefined;
}
