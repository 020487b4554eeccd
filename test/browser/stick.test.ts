/** The stick that somebody puts in, as they see it: offered, opened, touched, left; and a word to whoever forgets it. */
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import type { StickView, StickWhy } from '../../src/domain/terminal/stick-view.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import { languages } from '../../src/kiosk/page/languages/language.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { launchAddress } from '../support/agent/kiosk-page.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import { complaintsOf } from './accessibility.ts';
import { fatStick } from '../support/stick/stick-images.ts';
import { choosing, idle, screens } from './frames.ts';
import type { Stage } from './stage.ts';
import {
  browserArgs,
  executablePath,
  faultsOf,
  keepPicture,
  kiosk,
  narrow,
  panel,
  tablet,
  upright,
  useStages,
} from './stage.ts';

const files: StickView['files'] = [
  { folder: '', name: 'Boarding pass.pdf', octets: 84_000 },
  {
    folder: 'Holidays/2026 – the long way round, with all the others',
    name: 'Beach.jpeg',
    octets: 4_300_000,
  },
  { folder: 'Work', name: `${'A name that is as long as a name may be '.repeat(4)}.pdf`, octets: 52_000_000 },
  { folder: 'عمل', name: 'تقرير (final).pdf', octets: 900 },
  ...Array.from({ length: 20 }, (_, at) => ({ folder: 'Scans', name: `Scan ${at}.png`, octets: 1_000_000 })),
];
const withStick = (stick: Partial<StickView>): Frame => ({
  ...choosing,
  stick: { stage: 'in', edition: 1, ...stick },
});
const opened = withStick({ stage: 'files', files });
const bringing = withStick({ stage: 'bringing', name: 'Boarding pass.pdf', percent: 40 });

const whys: readonly StickWhy[] = [
  ...(['pulled-out', 'unreadable', 'too-large', 'unfit', 'locked'] as const),
  ...(['no-queue', 'denied', 'not-sent', 'failed'] as const),
];
const states: Readonly<Record<string, Frame>> = {
  reading: withStick({ stage: 'reading' }),
  files: opened,
  none: withStick({ stage: 'files', files: [] }),
  bringing,
  brought: withStick({ stage: 'files', files, isMore: true, name: 'Boarding pass.pdf' }),
  ...Object.fromEntries(whys.map((why) => [why, withStick({ stage: 'files', files, why })])),
  failed: withStick({ stage: 'failed', why: 'pulled-out' }),
};

const toldBy = ({ terminal }: Stage) => terminal.commands.filter(({ command }) => command !== 'still-there');

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
    terminal.show(opened);
    await dialog.getByRole('button', { name: 'Boarding pass' }).tap();
    terminal.show(bringing);
    await dialog.getByText('“Boarding pass” is on its way').waitFor();
    // There is nothing left that a second touch could mean.
    expect(await dialog.getByRole('listitem').count()).toBe(0);
    terminal.show(withStick({ stage: 'files', files, name: 'Boarding pass.pdf' }));
    await dialog.getByText('“Boarding pass” is among your documents.').waitFor();
    await dialog.getByRole('button', { name: 'Back to the documents' }).tap();
    await expect
      .poll(() => toldBy(stage))
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
    const { page, terminal } = await stages({ frame: opened });
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
    await expect.poll(() => toldBy(stage).length).toBe(1);
    terminal.show(opened);
    await page.getByRole('dialog').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Boarding pass' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect
      .poll(() => toldBy(stage).map(({ command }) => command))
      .toEqual(['open-stick', 'bring-file', 'close-stick']);
  });

  it('that cannot be closed at the terminal is not closed here', async () => {
    const { page, terminal } = await stages({ frame: opened });
    await page.getByRole('dialog').waitFor();
    terminal.answerWith(500);
    await page.getByRole('button', { name: 'Back to the documents' }).tap();
    await expect.poll(() => terminal.commands.length).toBeGreaterThan(0);
    await page.locator('dialog[open]').waitFor();
  });

  it('is fit for everyone in every language, on every panel', async () => {
    const { page, terminal, faults } = await stages({ frame: withStick({}) });
    for (const { code, direction } of languages) {
      for (const [name, frame] of Object.entries({ in: withStick({}), ...states })) {
        terminal.show({ ...frame, language: code });
        await page.locator(`html[lang=${code}][dir=${direction}]`).waitFor();
        await page.locator(name === 'in' ? 'main:not(:has(dialog)) .stick-line' : 'dialog[open]').waitFor();
        for (const size of [upright, kiosk, tablet, panel, ...(code === 'en' ? [narrow] : [])]) {
          await page.setViewportSize(size);
          const where = `${code} ${name} at ${size.width}×${size.height}`;
          expect([where, ...(await misfitsOf(page))]).toEqual([where]);
          const complaints = size === panel ? await complaintsOf(page, { colors: code === 'en' }) : [];
          expect([where, ...complaints]).toEqual([where]);
          if (['in', 'files', 'bringing', 'locked'].includes(name))
            await keepPicture(page, `${code}-stick-${name}-${size.width}`);
        }
      }
    }
    expect(faults).toEqual([]);
  }, 90_000);

  needsPeer('fls', 'sleuthkit')('before the running agent', () => {
    it('a file goes from the stick into the list by two touches, and nothing of it is left in the page', async () => {
      const pdf = samplePdf({ title: 'Timetable', pages: 2 });
      const device = fatStick({ 'Work/Timetable.pdf': pdf, 'Work/Salaries.pdf': pdf });
      await using stage = await setStage({ terminal: { stick: { device } } });
      await using agent = await stage.start();
      await agent.told('terminal ready');
      await using browser = await chromium.launch({ executablePath, args: browserArgs });
      const page = await browser.newPage({ viewport: panel, hasTouch: true, locale: 'en-US' });
      page.setDefaultTimeout(20_000);
      const faults = faultsOf(page);
      await page.goto(await launchAddress(stage, agent));
      await page.getByText('Hold your card').first().waitFor();
      stage.reader.tap(aliceCard);
      await page.getByRole('button', { name: 'Files on your stick' }).tap();
      await page.getByRole('button', { name: 'Timetable' }).tap();
      await page.getByText('“Timetable” is among your documents.').waitFor();
      await keepPicture(page, 'agent-stick');
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

/** What leaves the panel, is cut off, or is too small for a finger (44 px); what one can scroll to does not leave it. */
const misfitsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.stick-line > *, dialog, dialog button, dialog p')].flatMap(
      (one) => {
        const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
        const isOfList = one.closest('dialog ul') !== null;
        const isOutside = left < 0 || right > innerWidth || (!isOfList && (top < 0 || bottom > innerHeight));
        const isCut = !isOfList && one.scrollWidth > one.clientWidth + 1;
        const isSmall = one.matches('button') && (width < 44 || height < 44);
        return isOutside || isCut || isSmall ? [`${one.tagName} ${one.className} ${one.textContent}`] : [];
      },
    ),
  );
