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

// A page that comes back from the history shows what was on it when it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
const look = await readLook();
// Nobody sees a language that they did not want, unless theirs does not come.
const words = await loadWords(ownLanguageOf(look)).catch(() => englishWords);
render(
  <LookProvider value={look}>
    <App link={createTerminalLink(location)} words={words} />
  </LookProvider>,
  document.body,
);
