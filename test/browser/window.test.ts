/** The page in its window: another one takes over, the agent behind it changes, somebody walks off (B.4, 10; T07). */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { choosing, idle } from './frames.ts';
import { executablePath, openSettings, turnOn, useStages } from './stage.ts';

const next = { ...idle, generation: 9 };

needsPeer(executablePath, 'chromium')('the window', () => {
  const open = useStages();

  it('shows nothing when another one has taken over, and comes back when it is asked to', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await page.getByText('Travel request').waitFor();
    terminal.move();
    await page.getByRole('heading', { name: 'shown in another window' }).waitFor();
    expect(await page.content()).not.toMatch(/Ada Lovelace|Travel request/);
    // A browser opens a stream that has ended again by itself, but not one that was closed.
    const closed = await page.evaluate(() =>
      streams.filter(({ readyState }) => readyState === EventSource.CLOSED).map(({ url }) => url),
    );
    expect(closed).toEqual([`${terminal.address}/events`]);
    await page.getByRole('button', { name: 'Use it here' }).click();
    await page.getByText('Travel request').waitFor();
  });

  it('comes back by itself when the other one is gone', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await page.getByText('Travel request').waitFor();
    terminal.move();
    await page.getByRole('heading', { name: 'shown in another window' }).waitFor();
    await page.waitForFunction(() => streams.at(-1)?.readyState === EventSource.OPEN);
    terminal.free();
    await page.getByText('Travel request').waitFor();
    expect(terminal.strayRequests).toEqual([]);
  });

  it('loads itself anew for another version of the agent, once, and only when nobody is there', async () => {
    const { page, terminal, forward, faults } = await open({ frame: choosing });
    const before = terminal.loads();
    terminal.serveBuild('second');
    terminal.goAway();
    await page.getByRole('heading', { name: 'Connection lost.' }).waitFor();
    terminal.comeBack();
    await page.getByText('Travel request').waitFor();
    await forward(4_000);
    expect(terminal.loads()).toBe(before);
    terminal.show(next);
    await page
      .getByRole('heading', { name: 'Hold your card' })
      .or(page.getByText('Goodbye.').first())
      .first()
      .waitFor();
    await forward(50_000);
    await page.locator('main').click();
    await forward(50_000);
    expect(terminal.loads()).toBe(before);
    await forward(20_000);
    await expect.poll(terminal.loads).toBe(before + 1);
    await page.getByRole('heading', { name: 'Hold your card' }).waitFor();
    await forward(600_000);
    await page.getByRole('heading', { name: 'Hold your card' }).waitFor();
    expect(terminal.loads()).toBe(before + 1);
    expect(faults).toEqual([]);
  });

  it('takes back what a passer-by has set or typed and left', async () => {
    const { page, forward } = await open({ frame: idle });
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await turnOn(page, 'Hoher Kontrast');
    await page.getByRole('button', { name: 'ID-Nummer' }).click();
    await page.getByLabel('ID-Nummer').fill('4711');
    await forward(66_000);
    await page.locator('html[lang=en][data-contrast=normal]').waitFor();
    await page.getByRole('heading', { name: 'Hold your card' }).waitFor();
    expect(await page.locator('input').count()).toBe(0);
  });

  it('speaks the language of the badge, whatever was chosen before it, and sends what is chosen after', async () => {
    const { page, terminal } = await open({ frame: idle });
    await page.getByRole('button', { name: 'Español' }).click();
    await page.locator('html[lang=es]').waitFor();
    terminal.show({ ...choosing, language: 'fr' });
    await page.locator('html[lang=fr]').waitFor();
    await openSettings(page);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.locator('html[lang=de]').waitFor();
    await expect
      .poll(() => terminal.commands)
      .toContainEqual({ command: 'language', generation: 3, language: 'de' });
  });

  it('keeps the language of who has no badge for the session, and says nothing of it', async () => {
    const { page, terminal } = await open({ frame: choosing });
    terminal.answerWith(409);
    await openSettings(page);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('language');
    await page.locator('html[lang=de]').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    // Who goes on by keyboard goes on from where it was chosen.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Anzeige und Sprache',
    );
    terminal.show(next);
    terminal.show({ ...next, generation: 10 });
    await page.locator('html[lang=en]').waitFor();
  });

  it('is not zoomed, selected or dragged by anybody (T07)', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await page.getByText('Travel request').waitFor();
    await page.mouse.move(300, 200);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -400);
    await page.keyboard.up('Control');
    await page.getByText('Travel request').dblclick();
    await page.mouse.move(200, 130);
    await page.mouse.down();
    await page.mouse.move(500, 300, { steps: 4 });
    await page.mouse.up();
    await page.mouse.click(300, 200, { button: 'middle' });
    expect(
      await page.evaluate(() => [
        visualViewport?.scale,
        devicePixelRatio,
        innerWidth,
        getSelection()?.toString(),
        getComputedStyle(document.body).touchAction,
      ]),
    ).toEqual([1, 1, 800, '', 'pan-x pan-y']);
    expect(page.context().pages()).toHaveLength(1);
    expect(terminal.strayRequests).toEqual([]);
  });
});
