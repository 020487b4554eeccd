/** Room for documents: what a person sees and reaches on each panel, counted by what is drawn. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import { needsPeer } from '../support/needs.ts';
import { choosing, documentOf, idle, releasing, screens } from './frames.ts';
import { allOptions, today } from './list-frames.ts';
import { showing } from './showing.ts';
import type { Stage, StageOptions } from './stage.ts';
import { executablePath, kiosk, openSettings, panel, tablet, turnOn, upright, useStages } from './stage.ts';

const names = [
  ...['Travel request March.pdf', 'Minutes of the safety committee, second part.docx', 'Boarding pass.pdf'],
  ...[
    'Quarterly figures.xlsx',
    'Lecture 7, Thermodynamics.pdf',
    'Floor plan.pdf',
    'Invoice.pdf',
    'Poster.pdf',
  ],
];

/** Each with all that a row can say of it. */
const listOf = (count: number): Frame => ({
  ...choosing,
  waiting: count,
  documents: names.slice(0, count).map((name, place) =>
    documentOf(place + 1, {
      name,
      paper: 'A4',
      sentAt: today,
      cost: '2.40',
      fits: true,
      options: allOptions,
    }),
  ),
  balance: { balance: '80.00', cost: '19.20', fitting: count, tooDear: 0, costs: [] },
  mayHavePrinted: [],
});

/** A printer without paper and another one that would do, a stick, wishes that are kept, too little money. */
const everything: Frame = {
  ...(screens['choosing-instead'] ?? choosing),
  documents: listOf(8).documents ?? [],
  mayHavePrinted: [],
  trouble: { code: 'printer-not-ready', needs: 'paper', documentUuids: ['document-1'] },
  balance: { balance: '3.20', cost: '28.80', fitting: 1, tooDear: 11, costs: [] },
  stick: { stage: 'in', edition: 1 },
  defaults: { kept: { grey: true, twoSided: true } },
  offersAccount: true,
  offersPreview: true,
};

/** Those of which nothing is cut off. */
const wholeRows = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const list = document.querySelector('.documents')?.getBoundingClientRect();
    const rows = [...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect());
    return rows.filter(({ top, bottom }) => list && top >= list.top && bottom <= list.bottom + 0.5).length;
  });

needsPeer(executablePath, 'chromium')('the panel', () => {
  const stages = useStages();

  async function open({ frame, ...options }: StageOptions): Promise<Stage> {
    const stage = await stages({ frame, ...options });
    await stage.page.locator('main').waitFor();
    return stage;
  }

  it.each<[where: string, viewport: typeof panel, rows: number]>([
    ['800×480', panel, 5],
    ['480×800', upright, 6],
    ['1080×1920', kiosk, 5],
  ])('has room for the documents at %s, and for three of them in large text', async (_, viewport, rows) => {
    const { page, terminal } = await open({ frame: listOf(8), viewport });
    await page.locator('.row').nth(7).waitFor();
    for (const language of ['en', 'de', 'es', 'fr', 'ar', 'ja']) {
      terminal.show({ ...listOf(8), language });
      await page.locator(`html[lang=${language}]`).waitFor();
      expect({ language, seen: await wholeRows(page) }).toSatisfy(({ seen }) => seen >= rows);
    }
    terminal.show(listOf(8));
    await turnOn(page, 'Large text');
    await page.locator('html[data-text=large]').waitFor();
    expect(await wholeRows(page)).toBeGreaterThanOrEqual(3);
  });

  it('shows a document and what prints, also where everything is to be said at once', async () => {
    const { page, terminal, faults } = await open({ frame: everything });
    for (const language of ['en', 'de', 'es', 'fr', 'ar', 'ja']) {
      terminal.show({ ...everything, language });
      await page.locator(`html[lang=${language}] .stick-line button`).waitFor();
      for (const viewport of [upright, kiosk, tablet, panel]) {
        await page.setViewportSize(viewport);
        const room = await page.evaluate(() => {
          const print = document.querySelector('footer .primary')?.getBoundingClientRect();
          const first = document.querySelector<HTMLElement>('.documents .row');
          return {
            below: Math.max(0, (print?.bottom ?? Infinity) - innerHeight),
            cutOff: Math.max(
              0,
              (first?.offsetHeight ?? Infinity) - (first?.parentElement?.clientHeight ?? 0),
            ),
          };
        });
        expect({ language, viewport, ...room }).toEqual({ language, viewport, below: 0, cutOff: 0 });
      }
    }
    await page.locator('.kept button').tap();
    await page.locator('.stick-line button').tap();
    const said = () => terminal.commands.map(({ command }) => command);
    await expect.poll(said).toEqual(expect.arrayContaining(['forget-defaults', 'open-stick']));
    expect(faults).toEqual([]);
  });

  it('says time and cost of a document in one line, and leaves the other to its name', async () => {
    const { page } = await open({ frame: listOf(3) });
    await page.locator('.row').nth(2).waitFor();
    const lines = await page.evaluate(() =>
      [...document.querySelectorAll('.row')].map((row) => {
        const at = (what: string) => Math.round(row.querySelector(what)?.getBoundingClientRect().bottom ?? 0);
        return { name: at('.name'), time: at('time'), cost: at('.cost') };
      }),
    );
    expect(lines.map(({ time, cost }) => cost - time)).toEqual([0, 0, 0]);
    expect(lines.map(({ name, cost }) => cost > name)).toEqual([true, true, true]);
  });

  it('has at kiosk size all that a hand needs in the lower half, in letters of 28 px', async () => {
    const { page, terminal } = await open({ frame: idle, viewport: kiosk });
    for (const [name, frame] of Object.entries({ ...screens, list: listOf(8) })) {
      terminal.show({ ...frame, generation: frame.generation + 10 });
      await showing(page, name);
      const wrong = await page.evaluate(() => {
        const shown = (element: Element) => element.getClientRects().length > 0;
        const high = [...document.querySelectorAll('button, input')]
          .filter((element) => shown(element) && element.getBoundingClientRect().top < innerHeight / 2)
          .map((element) => `high: ${element.ariaLabel ?? element.textContent}`);
        const small = [...document.querySelectorAll('main *, header *, dialog[open] *')]
          .filter((element) => shown(element) && !element.closest('svg'))
          .filter(({ childNodes }) =>
            [...childNodes].some((node) => node instanceof Text && node.data.trim() !== ''),
          )
          .filter((element) => parseFloat(getComputedStyle(element).fontSize) < 28)
          .map(({ textContent }) => `small: ${textContent}`);
        return [...high, ...small];
      });
      expect([name, ...wrong]).toEqual([name]);
    }
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
        ...{ row: height('.row'), list: height('.documents') },
        size: parseFloat(getComputedStyle(stage).fontSize),
      };
    });
    expect(row).toBeGreaterThan(0.9 * list);
    expect(size).toBeGreaterThanOrEqual(24);
  });

  it('takes two touches at most from the list to the first print', async () => {
    const { page, terminal } = await open({ frame: listOf(6) });
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
