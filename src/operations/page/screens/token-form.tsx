/** Asks for the token of the operations listener, because a browser does not send one by itself. */
import { useEffect, useRef, useState } from 'preact/hooks';

import type { Said } from '../agent-link.ts';

interface TokenFormProps {
  readonly onToken: (token: string) => Promise<Said<unknown>['is']>;
}

/** The characters of a header; a token has no others (RFC 6750, 2.1). */
const sendable = /^[\x21-\x7e]+$/;

export function TokenForm({ onToken }: TokenFormProps) {
  const [refusal, setRefusal] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Token · Platen';
    input.current?.focus();
  }, []);
  async function trying(token: string): Promise<void> {
    setRefusal('');
    const is = sendable.test(token) ? await onToken(token) : 'token-wanted';
    if (is === 'token-wanted') setRefusal('This token was not accepted.');
    if (is === 'away') setRefusal('This gateway does not answer. Try again in a moment.');
  }
  return (
    <main class="token">
      <h1>Token</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void trying(input.current?.value.trim() ?? '');
        }}
      >
        <label for="token">The token of this gateway (operations.token)</label>
        <input
          id="token"
          ref={input}
          type="password"
          autocomplete="off"
          aria-describedby="token-hint"
          aria-invalid={refusal !== ''}
        />
        <button type="submit" class="primary">
          Show
        </button>
      </form>
      <p role="status" class="refusal">
        {refusal}
      </p>
      <p id="token-hint" class="hint">
        It is kept for this tab alone, until you close it.
        {location.protocol === 'http:' &&
          ' Without TLS it can be overheard on its way, unless that leads through a tunnel.'}
      </p>
    </main>
  );
}
