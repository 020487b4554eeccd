/** A file that a person brings becomes one of their waiting documents in the service. */
import type { Readable } from 'node:stream';
import type { Login } from '../user.ts';
import type { CallOptions } from './call.ts';

export interface BroughtFile {
  /** With its extension, by which the service knows the type. */
  readonly name: string;
  /** Exactly so many octets are sent. */
  readonly octets: number;
  readonly stream: Readable;
}

export interface Bringing {
  /**
   * The name of a queue for this person's documents: `wanted`, or the first if none is wanted. `undefined`: they have
   * no queue, or not that one. Rejects `cloud-denied` if the service does not list queues.
   */
  queue(wanted: string | undefined, login: Login, options: CallOptions): Promise<string | undefined>;
  /** Returns the document's uuid. Sent once. A transfer that breaks off makes no document. */
  bring(
    file: BroughtFile,
    to: { readonly queue: string },
    login: Login,
    options: CallOptions,
  ): Promise<string>;
}
