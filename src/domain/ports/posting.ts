/** Letters to receivers other than the service. Each letter is posted once, and no redirect is followed. */
import type { CallOptions } from './call.ts';

export interface Letter {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Posting extends AsyncDisposable {
  /**
   * Resolves to the body of a 2xx answer. Everything else rejects with a `Problem`: with `status` if there was an
   * answer, and with `retryAfter` if it gave one. No message contains the path, because it may be as good as a
   * password.
   */
  post(letter: Letter, call: CallOptions): Promise<Buffer>;
}
