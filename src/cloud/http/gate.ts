/** What a transport needs of whoever keeps in mind whether its server is up: asked before each call, told after it. */
import type { Problem } from '../../domain/problem/problem.ts';
import type { Urgency } from './limiter.ts';

/** What a call to a server found. */
export type Reachability = 'up' | Problem;

export interface Gate {
  /** Throws `cloud-unreachable`, not sent, while the server is left alone; a call a person waits for always passes. */
  pass(call: string, urgency: Urgency): void;
  heard(state: Reachability, urgency: Urgency): void;
}
