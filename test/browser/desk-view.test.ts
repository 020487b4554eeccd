/** `/t/<id>?view` of a running agent in a browser: it shows where the terminal stands, and there is nothing to type or to do. */
import { expect, it } from 'vitest';
import { englishWords } from '../../src/kiosk/page/languages/words.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
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
const pin = '2468';

needsPeer(executablePath, 'chromium')('the view from a desk', () => {
  const pages = useAgentPages();

  it('follows a session from PIN to farewell, in each language, and says nothing', async () => {
    await using stage = await setStage({
      cloud: {
        seed: {
          ...sampleData,
          users: sampleData.users.map((user) => (user.userName === 'alice' ? { ...user, pin } : user)),
        },
      },
      terminal: { ...unhurried, login: { cardPin: 'on', shortId: true } },
    });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    const kiosk = await pages.launch(stage, agent);
    const desk = await pages.lookOn(agent);
    const asked: string[] = [];
    desk.page.on('request', (request) => asked.push(request.method()));

    await kiosk.page.getByRole('button', { name: say('wayShortId') }).waitFor();
    await showing(desk.page, say('holdCard'));
    await expect(desk.page.getByRole('button', { name: say('wayShortId') }).count()).resolves.toBe(0);

    stage.reader.tap(aliceCard);
    await showing(kiosk.page, say('pinTitle'));
    await expect.poll(() => desk.page.locator('main.centered').count()).toBe(1);
    expect(await desk.page.locator('input, form, .keys, main button').count()).toBe(0);
    await desk.page.keyboard.type(`${pin}\n`);
    await desk.page.locator('h1').tap();

    await kiosk.page.getByLabel(say('pin'), { exact: true }).fill(pin);
    await kiosk.page.getByRole('button', { name: say('proceed') }).tap();
    await kiosk.page.getByText('Alice Archer').waitFor();
    await showing(desk.page, say('somebodySignedIn'));
    await inEachLanguage(desk.page, (words) => showing(desk.page, words.say('somebodySignedIn')));
    await desk.page.getByText(say('viewOnly')).waitFor();
    expect(await desk.page.getByText(/\d+ documents? waits?/).count()).toBe(0);
    expect(await desk.page.locator('input, main button').count()).toBe(0);
    expect(await contentOf(desk.page)).not.toMatch(/Alice|Archer|Report|\.pdf/i);
    // The launched page is still the one at the terminal.
    await kiosk.page.getByRole('button', { name: say('signOut') }).tap();
    await showingAfterwards(desk, say('holdCard'));
    expect(asked.filter((method) => method !== 'GET')).toEqual([]);
    expect([...kiosk.faults, ...desk.faults, ...stage.cloud.deviations]).toEqual([]);
  });
});
