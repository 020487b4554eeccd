/** The administrators' page of a running agent: what it shows is what has happened, and nothing of whom it happened to. */
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { launchAddress } from '../support/agent/kiosk-page.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import { browserArgs, executablePath, faultsOf, panel } from './stage.ts';

needsPeer(executablePath, 'chromium')('administrators before a running agent', () => {
  it('see its terminals, and the release of a person by its code, without the person or the document', async () => {
    await using stage = await setStage();
    const { reader } = stage;
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await using browser = await chromium.launch({ executablePath, args: browserArgs });
    const kiosk = await browser.newPage({ viewport: panel, hasTouch: true, locale: 'en-US' });
    await kiosk.goto(await launchAddress(stage, agent));
    reader.tap(aliceCard);
    await kiosk.getByRole('checkbox', { name: /Quarterly report/ }).tap();
    await kiosk.getByRole('button', { name: 'Print', exact: false }).last().tap();
    const { releaseId } = await agent.told('release ended');

    const page = await browser.newPage({ locale: 'en-GB' });
    page.setDefaultTimeout(10_000);
    const faults = faultsOf(page);
    await page.goto(`${agent.operations}/ui/`);
    await page.locator('table').getByRole('link', { name: 'lobby' }).click();
    await page.getByRole('heading', { level: 1, name: 'lobby' }).waitFor();
    await page.getByText('in a session').waitFor();
    await page.getByText('autoRelease').waitFor();
    await page.getByLabel('Code from a screen').fill(String(releaseId).slice(0, 8));
    await page.keyboard.press('Enter');
    await page.getByText('It was printed: the printer says so.').waitFor();
    await page.getByRole('heading', { name: 'Where the time went' }).waitFor();

    const told = await Promise.all(
      ['/fleet', '/status', `/releases/${String(releaseId)}`].map(async (path) =>
        (await fetch(agent.operations + path)).text(),
      ),
    );
    const shown = await page.content();
    for (const text of [...told, shown]) expect(text).not.toMatch(/alice|archer|quarterly|welcome/i);
    expect(faults).toEqual([]);
  });
});
