/** The memory of whether a server is up, as a transport uses it: asked before each call, told after it. */
import type { Problem } from '../../domain/problem/problem.ts';
import type { Urgency } from './limiter.ts';

export type Reachability = 'up' | Problem;

export interface Gate {
  /**
   * Throws `cloud-unreachable`, not sent, while the server is left alone; a call that a person waits for always passes.
   */
  pass(call: string, urgency: Urgency): void;
  heard(state: Reachability, urgency: Urgency): void;
}
