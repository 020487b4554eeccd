/**
 * A version of the fleet's configuration on which the agent cannot start, though it took it while it ran (F15): an address
 * that is none of this machine's, or is taken. Nobody could lead such a gateway back from afar, so its next start leaves
 * the version out. One on which it has started before is blameless: then something else is wrong, and may pass.
 */
import { keptFile, keptText, readKept } from '../config/pushed/kept.ts';
import type { PushedChoice } from '../config/pushed/over-local.ts';
import { isProblem } from '../domain/problem/problem.ts';
import { writeDurably } from '../store/files/durable-file.ts';

/** The number of the version that the next start leaves out, where the failure is one of the configuration. */
export function leaveOutUnfit(
  error: unknown,
  { stateDir, pushed: { found } }: { readonly stateDir: string; readonly pushed: PushedChoice },
): number | undefined {
  const isOfConfig = isProblem(error, 'port-taken') || isProblem(error, 'config-invalid');
  if (!isOfConfig || !found?.isNew || found.refused !== undefined) return undefined;
  const unfit = `the agent could not start with it: ${error.message}`;
  writeDurably(keptFile(stateDir), Buffer.from(keptText({ ...readKept(stateDir), unfit })));
  return found.version;
}
