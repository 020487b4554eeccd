/** The printer is switched off, its cable pulled, or its paper jams, while it prints what a person waits for. */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { PrinterBehaviour } from '../../src/simulator/printer/behaviour.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

/** Alice has chosen all she has, and the printer has begun. */
async function printing(held: PrinterBehaviour) {
  await using opened = new AsyncDisposableStack();
  const clock = forwardClock();
  const stage = opened.use(await setStage({ clock }));
  const { printer, reader } = stage;
  const agent = opened.use(await stage.start());
  await agent.told('terminal ready');
  const page = await launchPage(stage, agent);
  const screen = opened.use(await watchScreen(agent, page));
  await printer.behave(held);
  reader.tap(aliceCard);
  const { generation, documents = [] } = await screen.shows(({ state }) => state === 'choosing');
  expect(documents.length).toBeGreaterThan(1);
  await page.say({ command: 'release', generation, documentUuids: documents.map(({ uuid }) => uuid) });
  const all = opened.move();
  return { clock, printer, agent, screen, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

it.each<PrinterBehaviour>([{ kind: 'refuse-connections' }, { kind: 'never-answer' }])(
  'the screen says so within 3 s ($kind), and when it is back',
  async (gone) => {
    await using stage = await printing({ kind: 'hold' });
    const { clock, printer, agent, screen } = stage;
    const isFollowed = () => printer.requests.some(({ operation }) => operation === 'Get-Job-Attributes');
    await clock.hurry(printer.waitFor(isFollowed));

    await printer.behave(gone);
    const isAway = screen.shows((view) => view.printer?.lamp === 'unreachable');
    expect(await clock.spanOf(isAway)).toBeLessThan(seconds(3));
    expect(screen.views.at(-1)?.sentence).toBe('The printer cannot be reached. Is it switched on?');
    await printer.clear();
    // A question that was asked meanwhile is waited for until its time is over.
    await clock.hurry(screen.shows((view) => view.printer?.lamp !== 'unreachable'));
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
  },
);

it('a jam in the middle of a job is said within 3 s, and is said no more when it is cleared', async () => {
  await using stage = await printing({ kind: 'jam', afterPages: 1 });
  const { clock, printer, agent, screen } = stage;
  await clock.hurry(printer.waitFor(() => printer.jobs.some(({ state }) => state === 'processing-stopped')));
  const isJammed = screen.shows((view) => view.printer?.needs === 'jam');
  expect(await clock.spanOf(isJammed)).toBeLessThan(seconds(3));
  expect(screen.views.at(-1)?.sentence).toContain('Paper is jammed in the printer.');
  await printer.clear();
  await clock.hurry(screen.shows((view) => view.printer?.needs === undefined));
  for (const _ of ['the one before', 'the one that jammed'])
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
});
