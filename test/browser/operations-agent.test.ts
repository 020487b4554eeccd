/** The administrators' page of a running agent: what it shows is what has happened, and nothing of whom it happened to. */
import { expect, it } from 'vitest';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import { openPage, unhurried, useAgentPages } from './agent-page.ts';
import { executablePath, theBrowser } from './stage.ts';

needsPeer(executablePath, 'chromium')('administrators before a running agent', () => {
  const pages = useAgentPages();

  it('see its terminals, and the release of a person by its code, without the person or the document', async () => {
    await using stage = await setStage({ terminal: unhurried });
    const { reader } = stage;
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const { page: kiosk } = await pages.launch(stage, agent);
    reader.tap(aliceCard);
    await kiosk.getByRole('checkbox', { name: /Quarterly report/ }).tap();
    await kiosk.getByRole('button', { name: 'Print', exact: false }).last().tap();
    const { releaseId } = await agent.told('release ended');

    await using context = await (await theBrowser()).newContext({ locale: 'en-GB' });
    const { page, faults } = await openPage(context, `${agent.operations}/ui/`);
    await page.locator('table').getByRole('link', { name: 'lobby' }).click();
    await page.getByRole('heading', { level: 1, name: 'lobby' }).waitFor();
    await page.getByText('in a session').waitFor();
    await page.getByText('autoRelease').waitFor();
    await page.getByLabel('Code from a screen').fill(String(releaseId).slice(0, 8));
    await page.keyboard.press('Enter');
    await page.getByText('It was printed: the printer says so.').waitFor();
    await page.getByRole('heading', { name: 'Where the time went' }).waitFor();

    const reported = await Promise.all(
      ['/fleet', '/status', `/releases/${String(releaseId)}`].map(async (path) =>
        (await fetch(agent.operations + path)).text(),
      ),
    );
    const shown = await page.content();
    for (const text of [...reported, shown]) expect(text).not.toMatch(/alice|archer|quarterly|welcome/i);
    expect(faults).toEqual([]);
  });
});
