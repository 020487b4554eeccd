/** Keeps the latest bytes that an agent wrote to a simulated reader, such as commands for its light and beeper. */

const mostKept = 65_536;

export interface Received {
  take(bytes: Uint8Array): void;
  /** Each byte is one character (ISO 8859-1). */
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
