/** The browser's time. No other file of our pages asks for it. */

/** Monotonic milliseconds. */
export const now = (): number => performance.now();

/** The wall clock, for people to read. */
export const wallTime = (): Date => new Date();

/** A time as the agent writes it, ISO 8601. */
export const instant = (at: string): Date => new Date(at);

/** Aborts when the time is over. */
export const within = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds);

/** Calls back once. The returned function cancels that. */
export function after(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** Calls back repeatedly. The returned function ends that. */
export function every(milliseconds: number, callback: () => void): () => void {
  const timer = setInterval(callback, milliseconds);
  return () => clearInterval(timer);
}
