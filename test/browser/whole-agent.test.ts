/** The user's story at the page itself: a real browser before the running agent, its embedded cloud and printer. */
import { expect, it } from 'vitest';
import { isWaiting } from '../../src/simulator/cloud/calls/documents/documents.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import { unhurried, useAgentPages } from './agent-page.ts';
import { executablePath } from './stage.ts';

needsPeer(executablePath, 'chromium')('a browser before the running agent', () => {
  const pages = useAgentPages();

  it('shows a badge its list, prints what is chosen, deletes what is not wanted, and forgets it all', async () => {
    await using stage = await setStage({ terminal: unhurried });
    const { cloud, printer, reader } = stage;
    cloud.addDocument({ owner: 'alice', name: 'Minutes.pdf', pages: 2 });
    cloud.addDocument({ owner: 'alice', name: 'Holiday photos.pdf', pages: 9 });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const { page, faults } = await pages.launch(stage, agent);
    await page.getByText('Hold your card').first().waitFor();

    reader.tap(aliceCard);
    await page.getByText('Minutes').waitFor();
    await page.getByText('Alice Archer').waitFor();

    await page.getByLabel('Delete Holiday photos').tap();
    await page.getByRole('checkbox', { name: /Minutes/ }).tap();
    await page.getByRole('button', { name: 'Print', exact: false }).last().tap();
    expect(await agent.told('documents deleted')).toMatchObject({ documents: 1 });
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    expect(printer.outputs).toHaveLength(1);

    await page.getByRole('button', { name: 'Sign out' }).tap();
    expect(await agent.told('session closed')).toMatchObject({ reason: 'logout' });
    await page.getByText('Minutes').waitFor({ state: 'detached' });
    expect(await page.content()).not.toMatch(/Alice|Minutes|Holiday|Quarterly|Welcome/);
    const left = () =>
      cloud.state.documents
        .filter((one) => one.owner === 'alice' && isWaiting(one))
        .map(({ info }) => info.documentName);
    await expect.poll(left).toEqual(['Welcome to Platen.pdf', 'Quarterly report.pdf']);

    reader.tap(bobCard);
    await agent.told('session opened', ({ terminal }) => terminal === 'lobby');
    await page.goBack();
    await page.goForward();
    await page.getByText('Bob Baker').waitFor();
    expect(await page.content()).not.toMatch(/Alice|Minutes|Holiday/);
    expect([...faults, ...cloud.deviations, ...printer.deviations]).toEqual([]);
  });

  it('says in large letters that all is done when the last page is out, and one touch leaves', async () => {
    await using stage = await setStage({ terminal: unhurried });
    const { cloud, printer, reader } = stage;
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const { page, faults, forward } = await pages.launch(stage, agent);
    reader.tap(aliceCard);
    await page.getByRole('button', { name: 'Print all 2' }).tap();
    for (const _ of cloud.state.documents.slice(0, 2))
      expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });

    const verdict = page.getByRole('heading', { name: 'All done. Please take your pages.' });
    await verdict.waitFor();
    expect(
      await verdict.evaluate((heading) => parseFloat(getComputedStyle(heading).fontSize)),
    ).toBeGreaterThan(30);
    await page.getByRole('button', { name: 'Done' }).tap();
    expect(await agent.told('session closed')).toMatchObject({ reason: 'logout' });
    await page.getByText('Please take your pages and your card.', { exact: true }).waitFor();
    await forward(4_500);
    await page.getByText('Hold your card').first().waitFor();
    expect(printer.outputs).toHaveLength(2);
    expect([...faults, ...cloud.deviations, ...printer.deviations]).toEqual([]);
  });
});
