/**
 * The pages at one terminal that may send commands: whether there is one, and the one that is in use. When that loses
 * its connection, as a browser does that crashed or went elsewhere, the session ends 5 s later (reliability.md B.4, 10);
 * a session that nobody has touched a page for is none of its business.
 */
import type { Clock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { KioskTerminal } from './terminal.ts';
import { isSomebodys } from './terminal.ts';

export interface Presence extends Disposable {
  /** The page has connected; the answer tells that this connection is over. */
  came(page: string): () => void;
  /** The terminal did what the page said. */
  obeyed(page: string): void;
}

/** A page that is loaded anew is back by then. */
const patience = seconds(5);
/** What a person who was asked goes on to, without saying more. */
const follows: ReadonlySet<string> = new Set(['registering', 'listing']);

interface Use {
  readonly page: string;
  /** Of the view that the page's person is shown. */
  generation: number;
  readonly unhook: () => void;
}

export function createPresence(world: {
  readonly terminal: KioskTerminal;
  readonly clock: Clock;
  /** The first page has come, or the last one gone. */
  onPages(state: 'up' | 'down'): void;
}): Presence {
  const { terminal, clock, onPages } = world;
  const pages: string[] = [];
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
    if (generation !== undefined) terminal.logout({ generation });
  }

  return {
    came(page) {
      pages.push(page);
      if (pages.length === 1) onPages('up');
      if (use?.page === page) clock.clearTimeout(timer);
      return () => {
        pages.splice(pages.indexOf(page), 1);
        if (use?.page === page && !pages.includes(page)) timer = clock.setTimeout(giveUp, patience);
        if (pages.length === 0) onPages('down');
      };
    },
    obeyed(page) {
      const view = terminal.view.current();
      if (!isSomebodys(view)) return forget();
      if (use?.page === page) use.generation = view.generation;
      else {
        forget();
        use = { page, generation: view.generation, unhook: terminal.view.onChange(follow) };
      }
    },
    [Symbol.dispose]: forget,
  };
}
