/** Every screen of the page in several languages, brought about by what really happens at a terminal. */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { englishWords } from '../../src/kiosk/page/languages/words.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import {
  contentOf,
  inEachLanguage,
  passing,
  showing,
  showingAfterwards,
  unhurried,
  useAgentPages,
} from './agent-page.ts';
import { executablePath } from './stage.ts';

const { say } = englishWords;

needsPeer(executablePath, 'chromium')('the running agent shows in each language', () => {
  const pages = useAgentPages();

  it('that it waits for its approval, then how to sign in, with a card and without', async () => {
    await using stage = await setStage({
      cloud: { approval: 'by-hand', userCodes: 'given' },
      terminal: { ...unhurried, login: { shortId: true, password: true } },
    });
    await using agent = await stage.start();
    const { page, faults } = await pages.launch(stage, agent);
    await agent.told('device registered');
    await page.getByText('WDJB-MJHT', { exact: true }).waitFor();
    await inEachLanguage(page, async (words) => {
      await showing(page, words.say('outOfService'));
      await page.getByText(words.say('whyNotApproved'), { exact: true }).waitFor();
      await page.getByRole('img', { name: words.say('qrAlt') }).waitFor();
    });

    stage.cloud.approve();
    await agent.told('terminal ready');
    await inEachLanguage(page, async (words) => {
      await showing(page, words.say('holdCard'));
      for (const [way, label] of [
        ['wayShortId', 'shortId'],
        ['wayPassword', 'password'],
      ] as const) {
        await page.getByRole('button', { name: words.say(way), exact: true }).tap();
        await page.getByLabel(words.say(label), { exact: true }).waitFor();
        await showing(page, words.say('signIn'));
        await page.getByRole('button', { name: words.say('back'), exact: true }).tap();
      }
    });
    await page.getByRole('button', { name: say('wayPassword') }).tap();
    await page.getByLabel(say('userName')).fill('alice');
    await page.getByLabel(say('password')).fill('alice-secret');
    await page.getByRole('button', { name: say('proceed') }).tap();
    await page.getByText('Alice Archer').waitFor();
    expect(faults).toEqual([]);
  });

  it('the way from the badge to the pages: PIN, list, print, "still there?" and farewell', async () => {
    const clock = forwardClock();
    // No session is longer than ten minutes, whatever happens: half of them are for what comes before the question.
    const logoutTimeoutSeconds = 300;
    await using stage = await setStage({
      clock,
      cloud: {
        seed: {
          ...sampleData,
          users: sampleData.users.map((user) =>
            user.userName === 'alice' ? { ...user, pin: '2468' } : user,
          ),
        },
      },
      terminal: { session: { logoutTimeoutSeconds }, login: { cardPin: 'on' } },
    });
    const { cloud, printer, reader } = stage;
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const { page, faults, forward } = await pages.launch(stage, agent);
    await showing(page, say('holdCard'));

    reader.tap(aliceCard);
    await showing(page, say('pinTitle'));
    await inEachLanguage(page, (words) => showing(page, words.say('pinTitle')));
    for (const key of '1357') await page.getByRole('button', { name: key, exact: true }).tap();
    await page.getByRole('button', { name: say('proceed') }).tap();
    await page.getByText(say('pinRefused', { n: 1 }), { exact: true }).waitFor();
    await showing(page, say('pinTitle'));
    cloud.answerNext({ path: '/login' }, { kind: 'slow-headers', wait: seconds(1) });
    cloud.answerNext({ path: '/documents' }, { kind: 'slow-headers', wait: seconds(1) });
    for (const key of '2468') await page.getByRole('button', { name: key, exact: true }).tap();
    const waiting = await passing(page, say('oneMoment'));
    const looking = await passing(page, say('looking'));
    await page.getByRole('button', { name: say('proceed') }).tap();
    await waiting();
    await looking();
    await showing(page, say('yourDocuments'));
    await inEachLanguage(page, async (words) => {
      await showing(page, words.say('yourDocuments'));
      await page.getByText(words.say('hello', { name: 'Alice Archer' })).waitFor();
    });

    await printer.behave({ kind: 'jam', afterPages: 1 });
    await page.getByText('Quarterly report').tap();
    await page.getByRole('button', { name: say('printSelected', { n: 1 }), exact: true }).tap();
    await printer.waitFor(() => printer.jobs.some(({ impressionsCompleted }) => impressionsCompleted === 1));
    await showing(page, say('printingStopped'));
    await inEachLanguage(page, async (words) => {
      await showing(page, words.say('printingStopped'));
      await page
        .getByRole('listitem')
        .getByText(words.say('stagePageStopped', { page: 1, pages: 3 }))
        .waitFor();
    });
    await printer.clear();
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });

    // Nothing is on its way any more that would be called too slow.
    await agent.told('history accepted');
    await showing(page, say('yourDocuments'));
    const untilAsked = seconds(logoutTimeoutSeconds - 18);
    clock.forward(untilAsked);
    // It has heard nothing for so long, and asks anew.
    await forward(untilAsked);
    await page.getByRole('dialog', { name: say('stillThere') }).waitFor();
    await page.getByRole('button', { name: say('iAmHere') }).tap();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: say('signOut'), exact: true }).tap();
    await showing(page, say('goodbye'));
    expect(faults).toEqual([]);
  });

  it('a card that nobody has registered, a service that is away, and what a passer-by may see', async () => {
    await using stage = await setStage({ terminal: { ...unhurried, login: { enrollment: true } } });
    const { cloud, reader } = stage;
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const { page, faults } = await pages.launch(stage, agent);
    const passerBy = await pages.passBy(agent);
    await showing(page, say('holdCard'));
    await showing(passerBy.page, say('holdCard'));

    reader.tap('04D0D1D2D3');
    await showing(page, say('enrolTitle'));
    await inEachLanguage(page, (words) => showing(page, words.say('enrolTitle')));
    await page.getByLabel(say('userName')).fill('carol');
    await page.getByLabel(say('password')).fill('carol-secret');
    await page.getByRole('button', { name: say('proceed') }).tap();
    await showing(page, say('nothingWaits'));
    await inEachLanguage(page, (words) => showing(page, words.say('nothingWaits')));

    reader.tap(bobCard);
    await page.getByText('Menu of the week').waitFor();
    await showing(passerBy.page, say('somebodySignedIn'));
    await inEachLanguage(passerBy.page, (words) => showing(passerBy.page, words.say('somebodySignedIn')));
    expect(await contentOf(passerBy.page)).not.toMatch(/Bob|Menu|Carol|waiting/);
    await page.getByRole('button', { name: say('signOut'), exact: true }).tap();
    await showingAfterwards(passerBy, say('holdCard'));

    await cloud.goAway();
    reader.tap(aliceCard);
    await page.getByText(say('serviceAway'), { exact: true }).waitFor();
    await inEachLanguage(page, (words) =>
      page.getByText(words.say('serviceAway'), { exact: true }).waitFor(),
    );
    expect([...faults, ...passerBy.faults, ...cloud.deviations]).toEqual([]);
  });
});
