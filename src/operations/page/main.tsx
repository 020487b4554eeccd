/** Starts the page for administrators. */
import { render } from 'preact';
import '../../listener/page/colours.css';
import './styles/frame.css';
import './styles/controls.css';
import './styles/gateways.css';
import './styles/details.css';
import { createAgentLink } from './agent-link.ts';
import { App } from './app.tsx';

render(<App link={createAgentLink()} />, document.body);
