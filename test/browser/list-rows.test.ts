/** What the rows of the list say: facts, and what became of what was printed (I12). */
import { expect, it } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import { needsPeer } from '../support/needs.ts';
import { idle, longList } from './frames.ts';
import { optionsList, resultsList, today } from './list-frames.ts';
import { setDateOf } from './page-time.ts';
import type { Stage, StageOptions } from './stage.ts';
import { executablePath, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('the rows of the list', () => {
  const stages = useStages();

  /** On a day that the frames know. */
  async function open({ frame }: StageOptions): Promise<Stage> {
    const stage = await stages({ frame: idle });
    await setDateOf(stage.page, today);
    await stage.shows(frame, '.row');
    return stage;
  }
  const texts = async ({ page }: Stage) =>
    (await page.locator('.row').allInnerTexts()).map((text) =>
      text.replaceAll('\u00a0', ' ').split('\n').filter(Boolean),
    );

  it('say name, cost, pages, copies, colour, sides, paper and time, each once', async () => {
    const stage = await open({ frame: optionsList });
    expect(await texts(stage)).toEqual([
      ['Lecture 7, Thermodynamics', 'PDF', '48 pages · Color · One-sided · A4 · Mar 2', 'Cost 2.40'],
      [
        'Minutes of the safety committee, with all annexes and the list of those present',
        'DOCX',
        'More than your balance · 12 pages · 12 copies · Black and white · Two-sided · Letter · yesterday',
        'Cost 6.00',
      ],
      ['Scan', 'PDF', '1 page · Black and white · One-sided · A4 · today 9:05 AM', 'Cost 0.05'],
    ]);
  });

  it('tell what became of all: printed of a confirmed one only, and a code for who asks (I12)', async () => {
    const stage = await open({ frame: resultsList });
    const { page, terminal } = stage;
    await page.getByText('1 printed · 1 sent to the printer').tap();
    await page.getByText('Lecture 7, Thermodynamics').waitFor();
    const listed = (await texts(stage)).map((text) => text.join('|'));
    expect(listed.filter((text) => !text.startsWith('1 printed'))).toEqual([
      expect.stringMatching(
        /^Old contract\|PDF\|Not printed · .*no longer there\.\s*Code for support: h4d2z$/,
      ),
      expect.stringMatching(/^Poster A0\|PDF[^]*Not printed · .*as PDF\.\s*Code for support: k7q2f$/),
      expect.stringMatching(
        /^Boarding pass\|PDF[^]*May have printed at 11:41 AM[^]*p3x9m[^]*It is there\|Print again$/,
      ),
      'Travel request March|PDF|Printed',
      'Lecture 7, Thermodynamics|PDF|Sent to the printer',
    ]);
    terminal.show({ ...resultsList, documents: [], mayHavePrinted: [] });
    await page.getByRole('heading', { name: 'Not everything was printed.' }).waitFor();
    expect(await page.locator('.row.result').count()).toBe(5);
    expect(await page.locator('footer button').allInnerTexts()).toEqual(['Done']);
  });

  it('never begin with "Print again" under the finger or the Enter key (B.1)', async () => {
    const { page, terminal } = await open({ frame: resultsList });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('h1');
    expect(terminal.commands.filter(({ command }) => command !== 'still-there')).toEqual([]);
    await page.getByRole('button', { name: 'Print again' }).tap();
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('print-again');
  });

  it('do not move when a frame brings the same documents anew', async () => {
    const { page, terminal, heartbeat } = await open({ frame: longList(500) });
    await page.locator('.row').nth(499).waitFor({ state: 'attached' });
    await page.locator('.documents').evaluate((list) => list.scrollTo(0, 9_000));
    await page.locator('.row input').nth(140).focus();
    const seen = await page.evaluateHandle(() => {
      const changes: string[] = [];
      new MutationObserver((records) => changes.push(...records.map(({ type }) => type))).observe(
        document.querySelector('.documents') ?? document.body,
        { subtree: true, childList: true, attributes: true, characterData: true },
      );
      const place = document.querySelector('.documents')?.scrollTop;
      return { changes, place };
    });
    for (const endsInSeconds of [58, 56, 54])
      terminal.show({ ...longList(500), endsInSeconds } satisfies Frame);
    await heartbeat();
    const { changes, place } = await seen.jsonValue();
    expect(changes).toEqual([]);
    expect(await page.locator('.documents').evaluate((list) => list.scrollTop)).toBe(place);
  });
});
