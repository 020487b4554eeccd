/** Lists that are long, and names that are meant to do harm, on their way from the service to the screen (T06). */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { visibleText } from '../../src/core/text/visible-text.ts';
import { seconds } from '../../src/core/duration.ts';
import { englishWords } from '../../src/kiosk/page/languages/words.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { people } from '../support/agent/people.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { setStage } from '../support/agent/stage.ts';
import { titleOf } from '../../src/kiosk/page/words/document-title.ts';
import { needsPeer } from '../support/needs.ts';
import { showing, unhurried, useAgentPages } from './agent-page.ts';
import { hostileNames, longest, withoutEmoji } from './hostile-names.ts';
import { executablePath } from './stage.ts';

const { say } = englishWords;
const bytes = Buffer.from('%PDF-1.4');

needsPeer(executablePath, 'chromium')('from the service to the screen', () => {
  const pages = useAgentPages();

  it('1,000 hostile names are text, and nothing else (T06)', async () => {
    const lists = fc.sample(hostileNames, 2);
    const users = people(lists.length);
    const clock = forwardClock();
    await using stage = await setStage({
      clock,
      terminal: unhurried,
      cloud: { seed: { ...sampleData, users, documents: [] } },
    });
    const { cloud, reader } = stage;
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const { page, faults } = await pages.launch(stage, agent);
    await showing(page, say('holdCard'));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));

    for (const [place, { userName: owner, card }] of users.entries()) {
      const list = lists[place] ?? [];
      for (const name of list) cloud.addDocument({ owner, name, bytes });
      // Nobody steps up so fast: another card within 300 ms of the last one is ignored (B.4, 1 Badge read).
      clock.forward(seconds(1));
      reader.tap(card);
      expect(await agent.told('session opened')).toBeDefined();
      await page.waitForFunction((count) => document.querySelectorAll('main li').length === count, longest);
      const written = await page.locator('main li bdi').allTextContents();
      const called = list.map((name) => titleOf(visibleText(name) || 'Untitled'));
      const expected = called.flatMap(({ title, kind }) => [title, ...(kind ? [kind] : [])]);
      expect(written.map(withoutEmoji)).toEqual(expected.map(withoutEmoji));
      await page.getByRole('button', { name: say('signOut'), exact: true }).tap();
      expect(await agent.told('session closed')).toMatchObject({ reason: 'logout' });
    }
    const own = (what: string) => ['commands', 'events'].some((path) => what.endsWith(`/t/lobby/${path}`));
    expect(requests.filter((what) => !own(what))).toEqual([]);
    expect(page.url()).toBe(`${agent.kiosk}/t/lobby`);
    expect(page.context().pages()).toHaveLength(1);
    expect([...faults, ...cloud.deviations]).toEqual([]);
  });

  it('500 documents are all there, and what is found of them is printed', async () => {
    await using stage = await setStage({
      terminal: unhurried,
      cloud: { seed: { ...sampleData, users: people(1), documents: [] } },
    });
    const { cloud, printer, reader } = stage;
    const [{ userName: owner, card } = { userName: '', card: '' }] = people(1);
    for (let place = 1; place <= longest; place += 1) {
      cloud.addDocument({ owner, name: `Chapter ${place}.pdf` });
    }
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const { page, faults } = await pages.launch(stage, agent);
    reader.tap(card);
    await page.getByRole('button', { name: say('printAll', { n: longest }), exact: true }).waitFor();
    await page.getByRole('button', { name: say('search'), exact: true }).tap();
    await page.keyboard.type('chapter 49');
    await page
      .getByText(say('found', { n: 11 }), { exact: true })
      .first()
      .waitFor();
    await page.getByRole('button', { name: say('selectAll'), exact: true }).tap();
    await page.getByRole('button', { name: say('close'), exact: true }).tap();
    await page.getByRole('button', { name: say('printSelected', { n: 11 }), exact: true }).tap();
    for (let place = 0; place < 11; place += 1) {
      expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    }
    expect(printer.outputs).toHaveLength(11);
    expect([...faults, ...cloud.deviations, ...printer.deviations]).toEqual([]);
  });
});
