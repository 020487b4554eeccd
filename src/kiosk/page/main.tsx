/** Starts the page of the terminal whose address it was loaded from. */
import { render } from 'preact';
import { App } from './app.tsx';
import { guardKeys } from './key-guard.ts';
import './styles/tokens.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/list.css';
import { createTerminalLink } from './terminal-link.ts';

// A page that comes back from the history shows what was on it when it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
guardKeys(globalThis.window);
render(<App link={createTerminalLink(location.pathname)} />, document.body);
