/** What the page makes of an event: its script is run as it is served, against the little of a browser that it uses. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { page, staticFiles } from '../../src/kiosk/page.ts';
import type { TerminalView } from '../../src/domain/terminal-view.ts';

function openPage() {
  const elements = new Map<string, { textContent: string }>();
  for (const [, id = ''] of page.body.matchAll(/id="(\w+)"/g)) elements.set(id, { textContent: '' });
  const sources: { onmessage(message: { data: string }): void; onerror(): void }[] = [];
  runInNewContext(staticFiles.get('/kiosk.js')?.body ?? '', {
    document: { getElementById: (id: string) => elements.get(id) },
    location: { pathname: '/t/lobby' },
    EventSource: function source(this: (typeof sources)[number]) {
      sources.push(this);
    },
  });
  return {
    show: (view: TerminalView) => sources[0]?.onmessage({ data: JSON.stringify(view) }),
    lose: () => sources[0]?.onerror(),
    text: () => Object.fromEntries([...elements].map(([id, { textContent }]) => [id, textContent])),
  };
}

const prompting = { generation: 1, state: 'prompting', sentence: 'Hold your card.', waiting: 0 };
const choosing: TerminalView = {
  generation: 2,
  state: 'choosing',
  sentence: 'Your balance is 3.20.',
  waiting: 2,
  balance: {
    balance: '3.20',
    cost: '1.40',
    fitting: 1,
    tooDear: 1,
    costs: [
      { cost: '1.40', fits: true },
      { cost: '9.00', fits: false },
    ],
  },
};

describe('the page', () => {
  it('shows sentence, number and costs', () => {
    const { show, text } = openPage();
    show(choosing);
    expect(text()).toEqual({
      sentence: 'Your balance is 3.20.',
      waiting: '2 documents wait',
      costs: '1.40 · 9.00 (too much)',
    });
  });

  it.each([
    ['the session is over', ({ show }: ReturnType<typeof openPage>) => show(prompting)],
    ['the terminal is lost', ({ lose }: ReturnType<typeof openPage>) => lose()],
  ])('shows nothing more of a person when %s (I3)', (_when, happens) => {
    const opened = openPage();
    opened.show(choosing);
    happens(opened);
    expect(opened.text()).toMatchObject({ waiting: '', costs: '' });
    expect(JSON.stringify(opened.text())).not.toContain('3.20');
  });
});
