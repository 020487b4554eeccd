/** The stick that somebody puts in, as they see it: offered, opened, touched, left; and a word to whoever forgets it. */
import { expect, it } from 'vitest';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import { fatStick } from '../support/stick/stick-images.ts';
import { unhurried, useAgentPages } from './agent-page.ts';
import { choosing, idle, screens } from './frames.ts';
import { fileOnItsWay, files, stickOpened, withStick } from './panel-frames.ts';
import type { Stage } from './stage.ts';
import { executablePath, useStages } from './stage.ts';

const commandsOf = ({ terminal }: Stage) =>
  terminal.commands.filter(({ command }) => command !== 'still-there');

needsPeer(executablePath, 'chromium')('a stick', () => {
  const stages = useStages();

  it('is offered while it is in, read when that is touched, and a file goes with one touch', async () => {
    const stage = await stages({ frame: choosing });
    const { page, terminal, faults } = stage;
    await page.locator('.row').first().waitFor();
    const offer = page.getByRole('button', { name: 'Files on your stick' });
    expect(await offer.count()).toBe(0);
    terminal.show(withStick({}));
    await offer.tap();
    terminal.show(withStick({ stage: 'reading' }));
    const dialog = page.getByRole('dialog', { name: 'Files on your stick' });
    await dialog.getByText('Your stick is being read').waitFor();
    terminal.show(stickOpened);
    await dialog.getByRole('button', { name: 'Boarding pass' }).tap();
    terminal.show(fileOnItsWay);
    await dialog.getByText('“Boarding pass” is on its way').waitFor();
    // There is nothing left that a second touch could mean.
    expect(await dialog.getByRole('listitem').count()).toBe(0);
    terminal.show(withStick({ stage: 'files', files, name: 'Boarding pass.pdf' }));
    await dialog.getByText('“Boarding pass” is among your documents.').waitFor();
    await dialog.getByRole('button', { name: 'Back to the documents' }).tap();
    await expect
      .poll(() => commandsOf(stage))
      .toMatchObject([
        { command: 'open-stick' },
        { command: 'bring-file', file: 0, edition: 1, generation: 3 },
        { command: 'close-stick' },
      ]);
    terminal.show(withStick({}));
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('Beach');
    expect([...faults, ...terminal.strayRequests]).toEqual([]);
  });

  it('is offered where nothing waits, too; of several none is', async () => {
    const { page, terminal } = await stages({
      frame: { ...withStick({}), waiting: 0, documents: [] },
    });
    await page.getByRole('button', { name: 'Files on your stick' }).waitFor();
    terminal.show(withStick({ stage: 'several' }));
    await page.getByText('There are several sticks here. Please leave only yours.').waitFor();
    expect(await page.getByRole('button', { name: 'Files on your stick' }).count()).toBe(0);
  });

  it('goes with the session (I3), and whoever leaves it in is told to take it', async () => {
    const { page, terminal } = await stages({ frame: stickOpened });
    await page.getByText('Beach').waitFor();
    terminal.show({ ...idle, generation: 4 });
    await page.getByText('Take your stick with you.').waitFor();
    expect(await page.content()).not.toMatch(/Beach|Boarding/);
    terminal.show({ ...choosing, generation: 5 });
    await page.locator('.row').first().waitFor();
    terminal.show({ ...idle, generation: 6 });
    await page.getByText('Goodbye').first().waitFor();
    expect(await page.getByText('Take your stick with you.').count()).toBe(0);
  });

  it('is not forgotten by whoever waits for their pages', async () => {
    const { releasing = choosing } = screens;
    const { page, terminal } = await stages({ frame: { ...releasing, stick: { stage: 'in', edition: 1 } } });
    await page.locator('main').waitFor();
    terminal.show({ ...idle, generation: 4 });
    await page.getByText('Take your stick with you.').waitFor();
  });

  it('is opened, used and left by keyboard alone', async () => {
    const stage = await stages({ frame: withStick({}) });
    const { page, terminal } = stage;
    await page.getByRole('button', { name: 'Files on your stick' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => commandsOf(stage).length).toBe(1);
    terminal.show(stickOpened);
    await page.getByRole('dialog').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Boarding pass' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect
      .poll(() => commandsOf(stage).map(({ command }) => command))
      .toEqual(['open-stick', 'bring-file', 'close-stick']);
  });

  it('that cannot be closed at the terminal is not closed here', async () => {
    const { page, terminal } = await stages({ frame: stickOpened });
    await page.getByRole('dialog').waitFor();
    terminal.answerWith(500);
    await page.getByRole('button', { name: 'Back to the documents' }).tap();
    await expect.poll(() => terminal.commands.length).toBeGreaterThan(0);
    await page.locator('dialog[open]').waitFor();
  });

  needsPeer('fls', 'sleuthkit')('before the running agent', () => {
    const pages = useAgentPages();

    it('a file goes from the stick into the list by two touches, and nothing of it is left in the page', async () => {
      const pdf = samplePdf({ title: 'Timetable', pages: 2 });
      const device = fatStick({ 'Work/Timetable.pdf': pdf, 'Work/Salaries.pdf': pdf });
      await using stage = await setStage({ terminal: { ...unhurried, stick: { device } } });
      await using agent = await stage.start();
      await agent.told('terminal ready');
      await agent.told('reader up');
      const { page, faults } = await pages.launch(stage, agent);
      await page.getByText('Hold your card').first().waitFor();
      stage.reader.tap(aliceCard);
      await page.getByRole('button', { name: 'Files on your stick' }).tap();
      await page.getByRole('button', { name: 'Timetable' }).tap();
      await page.getByText('“Timetable” is among your documents.').waitFor();
      await page.getByRole('button', { name: 'Back to the documents' }).tap();
      await page.locator('.row', { hasText: 'Timetable' }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).tap();
      await page.getByText('Take your stick with you.').waitFor();
      await agent.told('session closed');
      expect(await page.content()).not.toMatch(/Timetable|Salaries/);
      expect([...faults, ...stage.cloud.deviations]).toEqual([]);
    });
  });
});
