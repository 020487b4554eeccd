/** Room for documents: what a person sees and reaches on each panel, counted by what is drawn. */
import { expect, it } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import { needsPeer } from '../support/needs.ts';
import { choosing, idle, releasing, screens } from './frames.ts';
import { allAtOnce, fullRows, optionsList } from './list-frames.ts';
import type { Stage, StageOptions } from './stage.ts';
import { executablePath, kiosk, openSettings, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('the panel', () => {
  const stages = useStages();

  async function open({ frame, ...options }: StageOptions): Promise<Stage> {
    const stage = await stages({ frame, ...options });
    await stage.page.locator('main').waitFor();
    return stage;
  }

  it('has what is kept and the stick within reach also where everything is to be said at once', async () => {
    const { page, terminal, faults } = await open({ frame: allAtOnce });
    await page.locator('.kept button').tap();
    await page.locator('.stick-line button').tap();
    const said = () => terminal.commands.map(({ command }) => command);
    await expect.poll(said).toEqual(expect.arrayContaining(['forget-defaults', 'open-stick']));
    expect(faults).toEqual([]);
  });

  it('has one price below the other, and rows of one height, whatever is said in them', async () => {
    const { page } = await open({ frame: optionsList });
    await page.locator('.row').nth(2).waitFor();
    const rows = await page.evaluate(() =>
      [...document.querySelectorAll('.row')].map((row) => ({
        price: row.querySelector('.cost')?.getBoundingClientRect().right,
        buttons: row.querySelectorAll('button').length,
        height: row.getBoundingClientRect().height - parseFloat(getComputedStyle(row).borderBottomWidth),
      })),
    );
    expect(rows.map(({ buttons }) => buttons)).toEqual([2, 2, 1]);
    expect(new Set(rows.map(({ price }) => price)).size).toBe(1);
    expect(new Set(rows.map(({ height }) => height)).size).toBe(1);
  });

  it('says at kiosk size where it stands, also when the printer needs something', async () => {
    const { page } = await open({ frame: screens['idle-needs'] ?? idle, viewport: kiosk });
    await page.locator('.invitation .notice').waitFor();
    const cutOff = await page.evaluate(() => {
      const { scrollHeight = 0, clientHeight = 0 } = document.querySelector('.invitation') ?? {};
      return scrollHeight - clientHeight;
    });
    expect(cutOff).toBe(0);
  });

  it('has at kiosk size the keyboard right below the fields', async () => {
    const { page, terminal } = await open({ frame: screens['enrolment'] ?? idle, viewport: kiosk });
    for (const name of ['enrolment', 'pin']) {
      terminal.show(screens[name] ?? idle);
      await page.locator(name === 'pin' ? '.keys.digits' : '.keys.letters').waitFor();
      const gap = await page.evaluate(() => {
        const box = (what: string) => document.querySelector(what)?.getBoundingClientRect();
        return (box('.keys')?.top ?? 0) - (box('form')?.bottom ?? 0);
      });
      expect(gap).toBeLessThan(60);
    }
  });

  it('keeps how the page looks and speaks behind one button, and says of the printer what matters', async () => {
    const { page, terminal } = await open({ frame: choosing });
    const buttons = page.locator('header').getByRole('button');
    expect(await buttons.allInnerTexts()).toEqual(['', 'Sign out']);
    // A picture beside buttons looks like one.
    expect(await page.locator('header .lamp svg').count()).toBe(0);
    await openSettings(page);
    await page.getByRole('button', { name: 'High contrast' }).waitFor();
    expect(await page.getByText('Read aloud').count()).toBe(0);
    await page.getByRole('button', { name: 'Deutsch' }).tap();
    await page.getByRole('button', { name: 'Abmelden' }).waitFor();
    await page.getByRole('button', { name: 'Deutsch' }).waitFor({ state: 'hidden' });
    terminal.show({ ...choosing, printer: { lamp: 'needs-attention', needs: 'paper' } });
    await page.locator('.lamp', { hasText: 'Papier' }).waitFor();
  });

  it('belongs to the one document that is being printed', async () => {
    const { progress: [, lecture] = [] } = releasing;
    const one: Frame = { ...releasing, documents: [], progress: lecture ? [lecture] : [] };
    const { page } = await open({ frame: one });
    await page.locator('.row .stage').waitFor();
    const { row, list, size } = await page.evaluate(() => {
      const height = (what: string) => document.querySelector<HTMLElement>(what)?.offsetHeight ?? 0;
      const stage = document.querySelector('.stage') ?? document.body;
      return {
        row: height('.row'),
        list: height('.documents'),
        size: parseFloat(getComputedStyle(stage).fontSize),
      };
    });
    expect(row).toBeGreaterThan(0.9 * list);
    expect(size).toBeGreaterThanOrEqual(24);
  });

  it('takes two touches at most from the list to the first print', async () => {
    const { page, terminal } = await open({ frame: fullRows(6) });
    const releases = () => terminal.commands.filter((one) => one.command === 'release');
    await page.evaluate(() => {
      globalThis.touches = 0;
      addEventListener('pointerdown', () => (globalThis.touches += 1), { capture: true });
    });
    await page.getByRole('button', { name: 'Print all 6' }).tap();
    await expect.poll(() => releases()[0]?.documentUuids).toHaveLength(6);
    expect(await page.evaluate(() => touches)).toBe(1);
    await page.getByText('Floor plan').tap();
    await page.getByRole('button', { name: 'Print 1' }).tap();
    await expect.poll(() => releases()[1]?.documentUuids).toEqual(['document-6']);
    expect(await page.evaluate(() => touches)).toBe(3);
  });
});

declare global {
  /** How often a finger came down. */
  var touches: number;
}
