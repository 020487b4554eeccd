/**
 * The listening sockets that systemd kept for the agent while it did not run: sd_listen_fds(3), as its manual page
 * describes it. None unless a service manager started this very process with them.
 */

/** By the name that the socket's unit gives it (`FileDescriptorName=`). */
export type InheritedSockets = ReadonlyMap<string, number>;

/** SD_LISTEN_FDS_START: behind standard input, output and error. */
const first = 3;
const most = 16;

export function inheritedSockets(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): InheritedSockets {
  const { LISTEN_PID: listenPid, LISTEN_FDS: count = '', LISTEN_FDNAMES: names = '' } = env;
  if (listenPid !== String(pid) || !/^[1-9]\d?$/.test(count) || Number(count) > most) return new Map();
  const named = names.split(':').slice(0, Number(count));
  return new Map(named.map((name, index) => [name, first + index]));
}
