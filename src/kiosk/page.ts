/**
 * The page a kiosk shows until people can choose on it: one sentence in large letters, and what each document costs
 * where prints are charged. It holds no code or style of its own inside the HTML, as the content security policy
 * wants it, and puts text in as text only (T06).
 */
export interface PageFile {
  readonly type: string;
  readonly body: string;
}

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Print terminal</title>
<link rel="stylesheet" href="/kiosk.css">
<script src="/kiosk.js" defer></script>
</head>
<body>
<main>
<p id="sentence" role="status">One moment, please.</p>
<p id="waiting"></p>
<p id="costs"></p>
</main>
<noscript><p>This page needs JavaScript.</p></noscript>
</body>
</html>
`;

const css = `:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; text-align: center; }
main { padding: 5vmin; }
#sentence { margin: 0; font-size: 9vmin; font-weight: 600; text-wrap: balance; }
#waiting { min-height: 1.5em; margin: 4vmin 0 0; font-size: 5vmin; }
#costs { margin: 2vmin 0 0; font-size: 3vmin; }
`;

const script = `'use strict';
const sentence = document.getElementById('sentence');
const waiting = document.getElementById('waiting');
const costs = document.getElementById('costs');

function show(view) {
  sentence.textContent = view.sentence;
  waiting.textContent =
    view.waiting === 0 ? '' : view.waiting === 1 ? '1 document waits' : view.waiting + ' documents wait';
  costs.textContent = view.balance ? view.balance.costs.map(costText).join(' · ') : '';
}

function costText(one) {
  return one.fits ? one.cost : one.cost + ' (too much)';
}

// The browser connects again by itself; until then nothing on the screen may look current.
const events = new EventSource(location.pathname + '/events');
events.onmessage = (message) => show(JSON.parse(message.data));
events.onerror = () => show({ sentence: 'One moment, please.', waiting: 0 });
`;

/** The same for every terminal: which one it shows, it reads off its own address. */
export const page: PageFile = { type: 'text/html; charset=utf-8', body: html };

export const staticFiles: ReadonlyMap<string, PageFile> = new Map([
  ['/kiosk.css', { type: 'text/css; charset=utf-8', body: css }],
  ['/kiosk.js', { type: 'text/javascript; charset=utf-8', body: script }],
]);
