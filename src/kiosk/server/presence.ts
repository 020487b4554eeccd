/**
 * Whether a page that may send commands shows the terminal, and whether somebody uses it. When a page in use loses its
 * connection, as a browser does that crashed or went elsewhere, the session ends 5 s later, unless one is there again
 * (INVARIANTS.md B.4, 10); a session that nobody has touched a page for is none of its business.
 */
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { KioskTerminal } from './terminal.ts';
import { isSomebodys } from '../../domain/terminal/persons-word.ts';

export interface Presence extends Disposable {
  /** A page has connected; the answer tells that it is gone, or that another one has taken over. */
  came(): () => void;
  /** The terminal did what a page said. */
  obeyed(): void;
}

/** A page that is loaded anew is back by then. */
const patience = seconds(5);
/** What a person who was asked goes on to, without saying more. */
const follows: ReadonlySet<string> = new Set(['registering', 'listing']);

interface Use {
  /** Of the view that the page's person is shown. */
  generation: number;
  readonly unhook: () => void;
}

export function createPresence(world: {
  readonly terminal: KioskTerminal;
  readonly clock: Clock;
  /** There is a page now, or none any more. */
  onPages(state: 'up' | 'down'): void;
}): Presence {
  const { terminal, clock, onPages } = world;
  let pages = 0;
  let use: Use | undefined;
  let timer: unknown;

  function forget(): void {
    clock.clearTimeout(timer);
    use?.unhook();
    use = undefined;
  }

  function follow(): void {
    const view = terminal.view.current();
    if (!use || !isSomebodys(view)) return forget();
    if (view.generation === use.generation) return;
    if (follows.has(view.state)) use.generation = view.generation;
    else forget();
  }

  function giveUp(): void {
    const generation = use?.generation;
    forget();
    if (generation !== undefined) terminal.tell({ type: 'log-out', generation });
  }

  return {
    came() {
      pages += 1;
      clock.clearTimeout(timer);
      if (pages === 1) onPages('up');
      return () => {
        pages -= 1;
        if (pages > 0) return;
        if (use) timer = clock.setTimeout(giveUp, patience);
        onPages('down');
      };
    },
    obeyed() {
      const view = terminal.view.current();
      if (!isSomebodys(view)) return forget();
      if (use) use.generation = view.generation;
      else use = { generation: view.generation, unhook: terminal.view.onChange(follow) };
    },
    [Symbol.dispose]: forget,
  };
}
