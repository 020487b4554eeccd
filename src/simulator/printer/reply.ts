/** An answer of the virtual printer, before it is encoded. */
import type { Group } from '../../ipp/message.ts';
import type { Status } from '../../ipp/status.ts';

export interface Reply {
  readonly status: Status;
  /** If absent, the values of the request are used. */
  readonly version?: readonly [number, number];
  readonly requestId?: number;
  readonly groups?: readonly Group[];
}
