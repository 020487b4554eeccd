/** The line between the page and its agent is slow, breaks or goes silent; and two pages want to be the terminal's. */
import { expect, it } from 'vitest';
import { englishWords } from '../../src/kiosk/page/languages/words.ts';
import type { Program } from '../support/program.ts';
import { startProgram } from '../support/program.ts';
import type { Stage } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import { freePort } from '../support/ports.ts';
import {
  contentOf,
  inEachLanguage,
  showing,
  showingAfterwards,
  unhurried,
  useAgentPages,
} from './agent-page.ts';
import { executablePath } from './stage.ts';

const { say } = englishWords;
const ofAlice = /Alice|Archer|Welcome to Platen|Quarterly/;

needsPeer(executablePath, 'chromium')('the line to the running agent', () => {
  const pages = useAgentPages();

  it('may be slow: the way from the badge to the pages is the same', async () => {
    await using stage = await setStage({ terminal: unhurried });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const { page, faults } = await pages.launch(stage, agent);
    const protocol = await page.context().newCDPSession(page);
    await protocol.send('Network.enable');
    await protocol.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 50_000,
      uploadThroughput: 50_000,
    });
    await page.reload();
    await showing(page, say('holdCard'));
    for (let place = 1; place <= 100; place += 1) {
      stage.cloud.addDocument({ owner: 'alice', name: `Chapter ${place}.pdf` });
    }
    const lost = await page.evaluateHandle((words) => {
      const seen: string[] = [];
      new MutationObserver(() => {
        if (document.body.textContent?.includes(words)) seen.push(words);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      return seen;
    }, say('lost'));
    stage.reader.tap(aliceCard);
    await page.getByText('Quarterly report').tap();
    await page.getByRole('button', { name: say('printSelected', { n: 1 }), exact: true }).tap();
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    await page.getByRole('button', { name: say('signOut'), exact: true }).tap();
    await showing(page, say('goodbye'));
    expect(await contentOf(page)).not.toMatch(ofAlice);
    expect(await lost.jsonValue()).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('may break: nothing of the person is left on the page, and the agent that comes back is shown', async () => {
    const kiosk = `127.0.0.1:${await freePort()}`;
    await using stage = await setStage({ terminal: unhurried, config: { kiosk: { listen: kiosk } } });
    await using first = await startAgent(stage);
    const shown = await pages.launch(stage, { kiosk: `http://${kiosk}` });
    const { page, faults } = shown;
    await showing(page, say('holdCard'));
    // Words that are there once need no agent any more.
    await inEachLanguage(page, (words) => showing(page, words.say('holdCard')));
    stage.reader.tap(aliceCard);
    await page.getByText('Quarterly report').waitFor();
    first.child.kill('SIGKILL');
    await first.exited;
    await showing(page, say('lost'));
    expect(await contentOf(page)).not.toMatch(ofAlice);
    await inEachLanguage(page, (words) => showing(page, words.say('lost')));

    // Ended before its files are taken away.
    await using second = await startAgent(stage);
    await showing(page, say('holdCard'));
    stage.reader.tap(aliceCard);
    await page.getByText('Quarterly report').waitFor();
    // It hangs: no connection breaks, and nothing comes any more (B.4, 10).
    second.child.kill('SIGSTOP');
    await showingAfterwards(shown, say('lost'));
    expect(await contentOf(page)).not.toMatch(ofAlice);
    second.child.kill('SIGCONT');
    await page
      .locator('main')
      .getByText(/Hold your card|Quarterly/)
      .first()
      .waitFor();
    expect(faults).toEqual([]);
  });

  it("is the newest page's: the one before says so, shows nothing of the person, and may take it back", async () => {
    await using stage = await setStage({ terminal: unhurried });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const { page, faults } = await pages.launch(stage, agent);
    stage.reader.tap(aliceCard);
    await page.getByText('Quarterly report').waitFor();
    const another = await page.context().newPage();
    await another.goto(page.url());
    await another.getByText('Quarterly report').waitFor();
    await showing(page, say('moved'));
    await page.bringToFront();
    expect(await contentOf(page)).not.toMatch(ofAlice);
    await inEachLanguage(page, (words) => showing(page, words.say('moved')));

    await page.getByRole('button', { name: say('useHere') }).tap();
    await page.getByText('Quarterly report').waitFor();
    await showing(another, say('moved'));
    expect(await contentOf(another)).not.toMatch(ofAlice);
    await page.getByRole('button', { name: say('signOut'), exact: true }).tap();
    expect(await agent.told('session closed')).toMatchObject({ reason: 'logout' });
    expect(faults).toEqual([]);
  });
});

async function startAgent({ configFile }: Stage): Promise<Program> {
  await using starting = new AsyncDisposableStack();
  const agent = starting.use(startProgram(['run', '-c', configFile]));
  await agent.logged('terminal ready');
  await agent.logged('reader up');
  starting.move();
  return agent;
}
