/**
 * If a check takes longer than a moment, the last line of the screen shows what it waits for. Afterwards the line
 * disappears.
 */
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Screen } from '../terminal-text/screen.ts';
import { eraseLine } from '../terminal-text/screen.ts';

const patience = seconds(2);
const interval = seconds(1);

export async function whileWaiting<T>(
  work: Promise<T>,
  { pending, screen }: { readonly pending: ReadonlyMap<string, string>; readonly screen: Screen | undefined },
): Promise<T> {
  if (!screen) return work;
  const over = new AbortController();
  const telling = tell(pending, screen, over.signal);
  try {
    return await work;
  } finally {
    over.abort();
    await telling;
  }
}

async function tell(
  pending: ReadonlyMap<string, string>,
  screen: Screen,
  signal: AbortSignal,
): Promise<void> {
  try {
    await systemClock.sleep(patience, { signal });
    for (;;) {
      screen.write(`${eraseLine}${waitingText([...pending.values()]).slice(0, screen.columns - 1)}`);
      await systemClock.sleep(interval, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    screen.write(eraseLine);
  }
}

export function waitingText(names: readonly string[]): string {
  const rest = names.length - 3;
  return `waiting for ${names.slice(0, 3).join(', ')}${rest > 0 ? ` and ${rest} more` : ''} …`;
}
