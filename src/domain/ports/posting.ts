/** What goes to receivers that are not the service: each letter is posted once, no redirect is followed. */
import type { CallOptions } from './call.ts';

export interface Letter {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Posting extends AsyncDisposable {
  /**
   * The body of the answer where it is a 2xx. Everything else rejects with a `Problem`: `status` where there was an answer,
   * `retryAfter` where it said so. No message has the path: it may be as good as a password.
   */
  post(letter: Letter, call: CallOptions): Promise<Buffer>;
}
