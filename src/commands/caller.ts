/**
 * Who asks, for the list of what administrators did: a user id, as the command that is called knows it, before root
 * becomes the service's user. It is no proof: whoever may speak with the agent may say what they like, and who may is
 * settled by the control socket's owner and mode.
 */

/** Behind sudo(8) the person that called it; `undefined` where the system has no user ids. */
export function callerOf(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const sudo = env['SUDO_UID'] ?? '';
  return /^\d{1,10}$/.test(sudo) ? Number(sudo) : process.getuid?.();
}
