/**
 * `platen status --watch` and `platen fleet status --watch`: draws the status repeatedly until it is stopped. For a
 * person it uses a separate screen; otherwise it prints a line each time. If nothing answers, it says so and continues.
 */
import { isoInstant, systemClock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { Io } from '../io.ts';
import type { Screen } from '../terminal-text/screen.ts';
import { enterScreen, eraseBelow, eraseToEndOfLine, leaveScreen, toTop } from '../terminal-text/screen.ts';

export interface Watching<Sight> {
  see(): Promise<Sight | undefined>;
  show(sight: Sight): string;
  /** One line, if no person looks. */
  line(sight: Sight): string;
  /** For programs. */
  data(sight: Sight): object;
  /** The text while nothing answers. */
  readonly away: string;
  readonly interval: Duration;
  readonly json?: boolean | undefined;
  readonly io: Io;
}

/** Resolves when it is stopped. */
export async function watchStatus<Sight>(watching: Watching<Sight>): Promise<void> {
  const { see, show, line, data, away, interval, json, io } = watching;
  const screen = json ? undefined : io.screen;
  screen?.write(enterScreen);
  try {
    while (!io.stop.aborted) {
      const sight = await see();
      if (io.stop.aborted) break;
      const isThere = sight !== undefined;
      if (screen) draw(screen, isThere ? show(sight) : `${away}\n\nlooking again`);
      else if (json) io.out(JSON.stringify(isThere ? data(sight) : { away }));
      else io.out(isThere ? line(sight) : `${isoInstant(systemClock.now())} ${away}`);
      await systemClock.sleep(interval, { signal: io.stop }).catch(() => {});
    }
  } finally {
    screen?.write(leaveScreen);
  }
}

/** Text below the screen is cut, and a line says so: a screen that scrolls could not be drawn again in place. */
function draw(screen: Screen, text: string): void {
  const lines = text.split('\n');
  const room = screen.rows - 1;
  const left = lines.length - room;
  const shown = left > 0 ? [...lines.slice(0, room - 1), `… ${left + 1} more lines`] : lines;
  screen.write(`${toTop}${shown.map((line) => `${line}${eraseToEndOfLine}`).join('\n')}\n${eraseBelow}`);
}
