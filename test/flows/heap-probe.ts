/** Preloaded into an agent that runs with --expose-gc: at each word of its parent it writes down its whole heap. */
import { writeHeapSnapshot } from 'node:v8';

process.on('message', (file: string) => {
  // Twice: what a finaliser lets go of is collected by the second one.
  globalThis.gc?.();
  globalThis.gc?.();
  writeHeapSnapshot(file);
  process.send?.(file);
});
