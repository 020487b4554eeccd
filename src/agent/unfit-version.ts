/**
 * A version of the fleet's configuration can keep the agent from starting, although the running agent took it (F15).
 * Its address may not belong to this machine, or may be in use. Such a gateway could not be repaired from afar, so its
 * next start leaves the version out.
 */
import { keptFile, keptText, readKept } from '../config/pushed/kept.ts';
import type { PushedChoice } from '../config/pushed/over-local.ts';
import { isProblem } from '../domain/problem/problem.ts';
import { writeDurably } from '../store/files/durable-file.ts';

/**
 * The number of the version that the next start leaves out; `undefined` if the configuration is not the cause. A
 * version with which the agent started before is kept: then the cause is another one, and may pass.
 */
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
