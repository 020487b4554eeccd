/** Starts the page of the terminal whose address it was loaded from. */
import { render } from 'preact';
import { App } from './app.tsx';
import { englishWords, loadWords } from './languages/words.ts';
import { LookProvider, ownLanguageOf, readLook } from './look.ts';
import '../../listener/page/colours.css';
import './styles/tokens.css';
import './styles/layout.css';
import './styles/header.css';
import './styles/controls.css';
import './styles/list.css';
import './styles/outcome.css';
import './styles/options.css';
import './styles/preview.css';
import './styles/printers.css';
import './styles/account.css';
import './styles/stick.css';
import './styles/narrow.css';
import './styles/tall.css';
import { createTerminalLink } from './terminal-link.ts';

// A page from the browser's history still shows its old content, so it is loaded again.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
const look = await readLook();
// The page waits for the own language, so that it does not begin in another one. English is used only if the language
// does not load.
const words = await loadWords(ownLanguageOf(look)).catch(() => englishWords);
render(
  <LookProvider value={look}>
    <App link={createTerminalLink(location)} words={words} />
  </LookProvider>,
  document.body,
);
