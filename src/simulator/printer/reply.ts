/** What a virtual printer answers, before it is a message. */
import type { Group } from '../../ipp/message.ts';
import type { Status } from '../../ipp/status.ts';

export interface Reply {
  readonly status: Status;
  /** Other than those of the request. */
  readonly version?: readonly [number, number];
  readonly requestId?: number;
  readonly groups?: readonly Group[];
}
