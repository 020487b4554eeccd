/**
 * The caller of a command, for the list of what administrators did. It is a user id, as the called command knows it
 * before root becomes the service's user. It is no proof: a user who may speak with the agent may also give a false id.
 * The owner and the mode of the control socket decide who may speak with the agent.
 */

/**
 * If sudo(8) started the command, the caller is the user that called sudo. `undefined` if the system has no user ids.
 */
export function callerOf(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const sudo = env['SUDO_UID'] ?? '';
  return /^\d{1,10}$/.test(sudo) ? Number(sudo) : process.getuid?.();
}
