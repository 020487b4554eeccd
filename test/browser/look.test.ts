/** What an administrator makes of the page: whose it is, which languages it speaks, how large its button is. */
import { expect, it } from 'vitest';
import type { LookConfig } from '../../src/kiosk/server/kiosk-page.ts';
import { needsPeer } from '../support/needs.ts';
import { choosing, documentOf, idle, screens } from './frames.ts';
import { fullRows, lecture, optionsList } from './list-frames.ts';
import { previewOffered } from './panel-frames.ts';
import { broad, executablePath, kiosk, panel, tablet, turnOn, useStages } from './stage.ts';

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><style>.b { fill: #7a1f5c }</style>
<path class="b" d="M0 0h60v20H0z"/></svg>`;
const ours: LookConfig = {
  brand: {
    name: 'City library',
    logo: { type: 'image/svg+xml', base64: Buffer.from(logo).toString('base64') },
    colour: '#7a1f5c',
    idle: { de: 'Willkommen in der Bibliothek.' },
  },
  languages: ['de', 'en'],
  howToSend: { de: 'Schicken Sie es an druck@example.org.' },
  bigButtons: false,
};

needsPeer(executablePath, 'chromium')('a page that is theirs', () => {
  const open = useStages();

  it('has their name, logo, colour, languages and words', async () => {
    const { page, terminal, faults } = await open({ frame: idle, look: ours });
    await page.getByText('Willkommen in der Bibliothek.').first().waitFor();
    await page.getByText('City library').waitFor();
    const picture = page.locator('.brand img');
    expect(await picture.evaluate((img: HTMLImageElement) => [img.complete, img.naturalWidth > 0])).toEqual([
      true,
      true,
    ]);
    const lead = () =>
      page.evaluate(() => {
        const light = document.querySelector('.card-picture .light') ?? document.body;
        return getComputedStyle(light).fill;
      });
    expect(await lead()).toBe('rgb(122, 31, 92)');
    expect(await page.locator('.languages button').allInnerTexts()).toEqual(['Deutsch', 'English']);
    await turnOn(page, 'Hoher Kontrast');
    await expect.poll(lead).toBe('rgb(255, 224, 0)');
    await page.getByRole('button', { name: 'English' }).tap();
    await page.getByText('Your documents are waiting for you.').first().waitFor();
    // With a badge that once chose a language which is not spoken here.
    terminal.show({ ...(screens['choosing-none'] ?? choosing), language: 'ja' });
    await page.getByText('Schicken Sie es an druck@example.org.').waitFor();
    expect(await page.locator('.brand').count()).toBe(0);
    expect([...faults, ...terminal.strayRequests]).toEqual([]);
  });

  it('speaks no choice of languages where there is one', async () => {
    const { page } = await open({ frame: idle, look: { bigButtons: false, languages: ['fr'] } });
    await page.locator('html[lang=fr] .invitation').waitFor();
    expect(await page.locator('.languages').count()).toBe(0);
  });

  it('offers no language that the machine has no letters for', async () => {
    // A window of its own: what is played there stays.
    const { page } = await open({ frame: idle, locale: 'ja-JP' });
    await page.locator('html[lang=ja]').waitFor();
    await page.addInitScript(() => {
      const { prototype } = OffscreenCanvasRenderingContext2D;
      const { fillText } = prototype;
      prototype.fillText = function draw(letter, left, top) {
        fillText.call(this, /[a-z]/i.test(letter) ? letter : '\u{10FFFD}', left, top);
      };
    });
    await page.reload();
    await page.locator('html[lang=en] .languages').waitFor();
    expect(await page.locator('.languages button').allInnerTexts()).toEqual([
      'English',
      'Deutsch',
      'Français',
      'Español',
    ]);
  });

  it.each([panel, broad, tablet, kiosk])('prints all by half the screen ($width × $height)', async (size) => {
    const { page, terminal, shows } = await open({ frame: idle, viewport: size, look: { bigButtons: true } });
    await shows(fullRows(3), '.big .row');
    const print = page.getByRole('button', { name: 'Print all 3' });
    const { width = 0, height = 0 } = (await print.boundingBox()) ?? {};
    expect(width).toBeGreaterThan(0.9 * size.width);
    expect(height).toBeGreaterThan((size === kiosk ? 0.33 : 0.38) * size.height);
    const rows = await page.evaluate(() => {
      const list = document.querySelector('.documents')?.getBoundingClientRect();
      const boxes = [...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect());
      return boxes.filter(({ bottom }) => list && bottom <= list.bottom + 0.5).length;
    });
    expect(rows).toBe(3);
    await print.tap();
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('release');
    await shows({ ...fullRows(4), generation: 5 }, '.row:nth-child(4)');
    expect(await page.locator('.big').count()).toBe(0);
  });

  it('prints a document from its options and from its pages, and asks before many', async () => {
    const { page, terminal, shows } = await open({ frame: previewOffered });
    const releases = () =>
      terminal.commands.flatMap((one) => (one.command === 'release' ? [one.documentUuids] : []));
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Options for Lecture 7').tap();
    await dialog.getByRole('button', { name: 'Print', exact: true }).tap();
    await expect.poll(releases).toEqual([['document-1']]);
    await page.getByLabel('Look at Lecture 7').tap();
    await dialog.getByRole('button', { name: 'Print', exact: true }).tap();
    await expect.poll(releases).toHaveLength(2);
    await page.getByLabel('Look at Minutes').tap();
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Print', exact: true }).count()).toBe(0);
    await shows({ ...previewOffered, generation: 5, askAbovePages: 40 }, '.row');
    await page.getByLabel('Options for Lecture 7').tap();
    await dialog.getByRole('button', { name: 'Print', exact: true }).tap();
    await page.getByRole('heading', { name: 'Print all of this?' }).waitFor();
    expect(releases()).toHaveLength(2);
  });

  it('says that a document fits in black and white where it does, and prints it so by one touch', async () => {
    const dear = { ...lecture, cost: '9.00', fits: false, fitsInGrey: true } as const;
    const frame = { ...optionsList, documents: [dear] };
    const { page, terminal, shows } = await open({ frame: idle });
    await shows(frame, '.row');
    await page.locator('footer').getByText('In black and white it fits.').waitFor();
    await page.getByRole('button', { name: 'Print in black and white' }).tap();
    await expect.poll(() => terminal.commands.map(({ command }) => command)).toEqual(['change', 'release']);
    expect(terminal.commands[0]).toMatchObject({ documentUuid: 'document-1', color: false });
    const { fitsInGrey: _, ...never } = dear;
    await shows(
      { ...frame, generation: 5, documents: [never, documentOf(2, { cost: '9.00', fits: false })] },
      '.row',
    );
    await page.locator('footer').getByText('Your balance is not enough').waitFor();
    expect(await page.getByText('In black and white').count()).toBe(0);
  });

  it('has bold letters for titles and prices alone', async () => {
    const { page } = await open({ frame: optionsList });
    await page.locator('.row').nth(2).waitFor();
    const bold = await page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((element) => element.getClientRects().length > 0 && element.textContent.trim() !== '')
        .filter(({ childNodes }) => [...childNodes].some((node) => node instanceof Text))
        .filter((element) => Number(getComputedStyle(element).fontWeight) > 500)
        .filter((element) => !element.closest('h1, h2, .name, .cost, .bill b'))
        .map(({ textContent }) => textContent),
    );
    expect(bold).toEqual([]);
  });
});
