/** The browser's time: the only file of our pages that asks for it. */

/** Monotonic milliseconds. */
export const now = (): number => performance.now();

/** The wall clock, for people to read. */
export const wallTime = (): Date => new Date();

/** An instant as the agent writes it, ISO 8601. */
export const instant = (at: string): Date => new Date(at);

/** Aborts when the time is over. */
export const within = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds);

/** Calls back once; the answer takes that back. */
export function after(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** Calls back again and again; the answer ends that. */
export function every(milliseconds: number, callback: () => void): () => void {
  const timer = setInterval(callback, milliseconds);
  return () => clearInterval(timer);
}
