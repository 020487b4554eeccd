/**
 * Tracks the pages that may send commands to a terminal, and whether a person uses one. If a used page loses its
 * connection, for example by a crash, the session ends after 5 s unless a page is back (INVARIANTS.md B.4, 10). A
 * session in which no page was touched is left alone.
 */
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { KioskTerminal } from './terminal.ts';
import { isInUse } from '../../domain/terminal/persons-word.ts';

export interface Presence extends Disposable {
  /** A page has connected. Call the returned function when the page is gone or another page has taken over. */
  came(): () => void;
  /** The terminal has carried out a command of a page. */
  obeyed(): void;
}

/** A page that reloads is back within this time. */
const patience = seconds(5);
/** States that follow a person's answer without a further command. */
const follows: ReadonlySet<string> = new Set(['registering', 'listing']);

interface Use {
  /** The generation of the view that the person sees. */
  generation: number;
  readonly unhook: () => void;
}

export function createPresence(world: {
  readonly terminal: KioskTerminal;
  readonly clock: Clock;
  /** Called when the first page comes and when the last page goes. */
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
    if (!use || !isInUse(view)) return forget();
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
      if (!isInUse(view)) return forget();
      if (use) use.generation = view.generation;
      else use = { generation: view.generation, unhook: terminal.view.onChange(follow) };
    },
    [Symbol.dispose]: forget,
  };
}
