/** What is left of a person in the browser after they have signed out: nothing, wherever one looks (INVARIANTS.md I3). */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { englishWords } from '../../src/kiosk/page/languages/words.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { launchAddress } from '../support/agent/kiosk-page.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import { asAtThePanel, contentOf, openPage, showing, showingAfterwards, unhurried } from './agent-page.ts';
import { browserArgs, executablePath } from './stage.ts';

const { say } = englishWords;
/** Long enough to stand by chance in no time and no number of the profile's own, where four digits did. */
const shortId = '471108153';
const ofAlice = ['Alice Archer', 'Quarterly report', 'Welcome to Platen', shortId, aliceCard];
const users = sampleData.users.map((user) => (user.userName === 'alice' ? { ...user, shortId } : user));

needsPeer(executablePath, 'chromium')('after the session', () => {
  it('nothing of the person is in document, history, caches, storage and profile', async () => {
    await using stage = await setStage({
      cloud: { seed: { ...sampleData, users } },
      terminal: { ...unhurried, login: { shortId: true } },
    });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const profile = await mkdtemp(join(tmpdir(), 'platen-profile-'));
    await using left = new AsyncDisposableStack();
    left.defer(() => rm(profile, { recursive: true, force: true }));
    const context = await chromium.launchPersistentContext(profile, {
      ...asAtThePanel,
      executablePath,
      args: browserArgs,
      // The driver's own choice would be to have none.
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
    left.defer(() => context.close());
    const shown = await openPage(context, await launchAddress(stage, agent));
    const { page, faults } = shown;

    stage.reader.tap(aliceCard);
    await page.getByText('Quarterly report').tap();
    await page.getByRole('button', { name: say('signOut'), exact: true }).tap();
    await showing(page, say('goodbye'));
    await showingAfterwards(shown, say('holdCard'));
    await page.getByRole('button', { name: say('wayShortId') }).tap();
    await page.getByLabel(say('shortId')).fill(shortId);
    await page.getByRole('button', { name: say('proceed') }).tap();
    await page.getByText('Quarterly report').waitFor();
    const expectNothing = async () => {
      const content = await contentOf(page);
      for (const word of ofAlice) expect(content).not.toContain(word);
    };
    // Left with her list on it, and found again when somebody else is there.
    await page.goto(`${agent.kiosk}/kiosk.css`);
    stage.reader.tap(bobCard);
    for (const _ of ['card', 'short id', 'card']) await agent.told('session opened');
    await page.goBack();
    await page.getByText('Menu of the week').waitFor();
    await expectNothing();
    await page.getByRole('button', { name: say('signOut'), exact: true }).tap();
    await showing(page, say('goodbye'));
    await expectNothing();
    for (const away of [`${agent.kiosk}/kiosk.js`, 'about:blank']) {
      await page.goto(away);
      await page.goBack();
      await showing(page, say('holdCard'));
      await expectNothing();
      await page.goForward();
      await expectNothing();
      await page.goto(`${agent.kiosk}/t/lobby`);
    }
    const kept = await page.evaluate(async () => ({
      storage: [localStorage.length, sessionStorage.length],
      cookies: document.cookie,
      caches: await caches.keys(),
      databases: await indexedDB.databases(),
      workers: (await navigator.serviceWorker.getRegistrations()).length,
    }));
    expect(kept).toEqual({ storage: [0, 0], cookies: '', caches: [], databases: [], workers: 0 });
    expect(faults).toEqual([]);

    await context.close();
    const files = await readdir(profile, { recursive: true, withFileTypes: true });
    const found: string[] = [];
    for (const file of files.filter((one) => one.isFile())) {
      const bytes = await readFile(join(file.parentPath, file.name));
      const words = ofAlice.filter((word) =>
        ['utf8', 'utf16le'].some((as) => bytes.includes(word, as as 'utf8')),
      );
      if (words.length > 0) found.push(`${file.name}: ${words.join(', ')}`);
    }
    expect(found).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  });
});
