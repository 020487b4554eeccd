/** A file that a person brings becomes one of their waiting documents in the service. */
import type { Readable } from 'node:stream';
import type { Login } from '../user.ts';
import type { CallOptions } from './call.ts';

export interface BroughtFile {
  /** With its extension: by that the service knows what it is. */
  readonly name: string;
  /** Just so many come. */
  readonly octets: number;
  readonly stream: Readable;
}

export interface Bringing {
  /**
   * Name of a queue in which documents of theirs wait: `wanted`, or the first, where nothing is wanted. `undefined`: they have
   * none, or not that one. Rejects `cloud-denied` where the service does not tell them.
   */
  queue(wanted: string | undefined, login: Login, options: CallOptions): Promise<string | undefined>;
  /** Gives the document's uuid. Sent once: what breaks off in the middle is no document. */
  bring(
    file: BroughtFile,
    to: { readonly queue: string },
    login: Login,
    options: CallOptions,
  ): Promise<string>;
}
