/** What an agent writes to a simulated reader, commands for its light and its beeper: the latest of it, for looking at. */

const mostKept = 65_536;

export interface Received {
  take(bytes: Uint8Array): void;
  /** Each byte as one character (ISO 8859-1). */
  text(): string;
}

export function createReceived(): Received {
  let kept = '';
  return {
    take(bytes) {
      kept = (kept + Buffer.from(bytes).toString('latin1')).slice(-mostKept);
    },
    text: () => kept,
  };
}
