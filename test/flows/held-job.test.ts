/** The device holds what was sent to it: the person reads where to release it, and the next document goes on. */
import { expect, it } from 'vitest';
import { forwardClock } from '../support/forward-clock.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

it('is said on the screen, keeps nothing behind it waiting, and ends as it is released at the panel', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ clock, printer: { habits: ['holds-jobs=job-password-wait'] } });
  const { printer, reader } = stage;
  await using agent = await stage.start();
  await agent.told('terminal ready');
  const page = await launchPage(stage, agent);
  await using screen = await watchScreen(agent, page);
  reader.tap(aliceCard);
  const { generation, documents = [] } = await screen.shows(({ state }) => state === 'choosing');
  const [first, second] = documents.map(({ uuid }) => uuid);
  const documentUuids = [first ?? '', second ?? ''];
  await page.say({ command: 'release', generation, documentUuids });
  const areHeld = ({ progress = [] }: { progress?: readonly { wait?: string }[] }) =>
    progress.filter(({ wait }) => wait === 'held').length === 2;
  const { sentence, printer: lamp } = await clock.hurry(screen.shows(areHeld));
  expect(sentence).toBe("The printer holds your document. Release it at the printer's panel.");
  expect(lamp?.lamp).not.toBe('needs-attention');
  printer.releaseAtPanel();
  for (const _ of documentUuids)
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
  expect(screen.views.at(-1)?.sentence).not.toContain('holds your document');
});
