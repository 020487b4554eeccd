/** Words and habits: what a person is used to from elsewhere, by eye, by finger and by keyboard. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { choosing, documentOf, idle, longList } from './frames.ts';
import { lecture, optionsList, today } from './list-frames.ts';
import { setDateOf } from './page-time.ts';
import { executablePath, turnOn, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('habits', () => {
  const open = useStages();

  it('a document is called by its name, and its kind stands beside it on the side where one reads on', async () => {
    const names = ['Microsoft Word - Minutes.docx', 'تقرير 2.pdf', 'A plan.pdf'];
    const frame = {
      ...choosing,
      documents: names.map((name, place) => documentOf(place + 1, { name })),
      mayHavePrinted: [],
    };
    const { page, terminal } = await open({ frame });
    await page.locator('.row').nth(2).waitFor();
    const called = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.called')].map((one) => {
          const [name, kind] = [...one.children].map((part) => part.getBoundingClientRect());
          const side = (kind?.left ?? 0) > (name?.left ?? 0) ? 'right' : 'left';
          return [...[...one.children].map((part) => part.textContent), side];
        }),
      );
    const wanted = (side: string) => [
      ['Minutes', 'DOCX', side],
      ['تقرير 2', 'PDF', side],
      ['A plan', 'PDF', side],
    ];
    expect(await called()).toEqual(wanted('right'));
    await page.getByLabel('Delete Minutes', { exact: true }).waitFor();
    terminal.show({ ...frame, language: 'ar' });
    await page.locator('html[dir=rtl]').waitFor();
    expect(await called()).toEqual(wanted('left'));
  });

  it('a list with times has the oldest first or the newest', async () => {
    const list = longList(12);
    const documents = (list.documents ?? []).map((one, place) => ({
      ...one,
      sentAt: new Date(Date.parse(today) - ((place * 5) % 12) * 60_000).toISOString(),
    }));
    const { page } = await open({ frame: { ...list, documents } });
    const times = () =>
      page.locator('.row time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime') ?? ''));
    await page.getByRole('button', { name: 'Oldest', pressed: true }).waitFor();
    expect(await times()).toEqual((await times()).toSorted());
    await page.getByRole('button', { name: 'Newest' }).tap();
    await expect.poll(async () => (await times())[0]).toBe(new Date(today).toISOString());
  });

  it('who has changed how a document is printed is done', async () => {
    const { page } = await open({ frame: optionsList });
    await page.getByLabel('Options for Lecture 7').tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).tap();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('boxes are as clear as all else in high contrast', async () => {
    const { page } = await open({ frame: optionsList });
    await turnOn(page, 'High contrast');
    const coloursOf = () =>
      page
        .locator('.row input')
        .first()
        .evaluate((box) => {
          const { borderTopColor, backgroundColor } = getComputedStyle(box);
          return { borderTopColor, backgroundColor };
        });
    expect(await coloursOf()).toEqual({
      borderTopColor: 'rgb(255, 255, 255)',
      backgroundColor: 'rgb(0, 0, 0)',
    });
    await page.getByText('Lecture 7').tap();
    await expect.poll(async () => (await coloursOf()).backgroundColor).toBe('rgb(255, 224, 0)');
  });

  it('arrows go through the list, Enter ticks, and F2 prints', async () => {
    const { page, terminal } = await open({ frame: longList(5) });
    const releases = () => terminal.commands.filter((one) => one.command === 'release');
    const place = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.row input')].indexOf(document.activeElement ?? document.body),
      );
    await page.locator('.row input').first().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
    await expect.poll(place).toBe(1);
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await expect.poll(place).toBe(4);
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await expect.poll(place).toBe(4);
    await page.keyboard.press('Home');
    await expect.poll(place).toBe(0);
    await page.keyboard.press('F2');
    await expect.poll(() => releases()[0]?.documentUuids).toEqual(['document-2', 'document-5']);
  });

  it('F2 prints nothing behind a question, and nothing that cannot be printed', async () => {
    const { page, terminal, heartbeat } = await open({ frame: { ...optionsList, documents: [lecture] } });
    await page.getByLabel('Options for Lecture 7').tap();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('F2');
    await page.keyboard.press('Escape');
    terminal.show({ ...choosing, documents: [{ ...lecture, cost: '99.00' }] });
    await page.getByText('not enough').first().waitFor();
    await page.keyboard.press('F2');
    await heartbeat();
    expect(terminal.commands.filter(({ command }) => command === 'release')).toEqual([]);
  });

  it('in Britain the day has 24 hours, and colour a u', async () => {
    const { page, terminal, forward } = await open({ frame: idle, locale: 'en-GB' });
    await setDateOf(page, today);
    await forward(6_000);
    await page.getByText('12:00', { exact: true }).waitFor();
    terminal.show({ ...optionsList, documents: [{ ...lecture, sentAt: today }] });
    await page.getByText('48 pages · Colour · One-sided · A4').waitFor();
    await page.getByText('today at 12:00').or(page.getByText('today 12:00')).waitFor();
  });

  it('amounts are money where somebody has said which, and numbers where nobody has', async () => {
    const { page, terminal } = await open({ frame: optionsList });
    await page.locator('.row').nth(2).waitFor();
    const prices = () => page.locator('.row .cost').allInnerTexts();
    expect(await prices()).toEqual(['Cost 2.40', 'Cost 6.00', 'Cost 0.05']);
    await page.getByText('Balance 5.00').waitFor();
    terminal.show({ ...optionsList, currency: 'EUR' });
    await expect.poll(prices).toEqual(['€2.40', '€6.00', '€0.05']);
    await page.getByText('Balance €5.00').waitFor();
    terminal.show({ ...optionsList, currency: 'EUR', language: 'de' });
    await expect.poll(prices).toEqual(['2,40\u00a0€', '6,00\u00a0€', '0,05\u00a0€']);
    terminal.show({ ...optionsList, currency: 'JPY', language: 'ja' });
    await expect.poll(prices).toEqual(['￥2.4', '￥6', '￥0.05']);
  });

  it('an idle screen says which printer this is, and where it stands', async () => {
    const { page } = await open({ frame: idle });
    await page.getByText('Lobby · Second floor, beside the lifts').waitFor();
  });
});
