/** Lines typed on the keyboard, until the signal aborts or the input ends. */
import { createInterface } from 'node:readline';

export function onTypedLine(listener: (line: string) => void, signal: AbortSignal): void {
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on('line', (line) => {
    if (line.trim() !== '') listener(line.trim());
  });
  signal.addEventListener('abort', () => lines.close(), { once: true });
}
