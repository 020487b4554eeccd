/** The user's story at a kiosk page, in the page's own words over HTTP; nobody holds a badge. */
import { userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { pageHeader } from '../../src/kiosk/frame.ts';
import type { KioskPage } from '../support/agent/kiosk-page.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { passBy, watchScreen } from '../support/agent/screen.ts';
import { setStage } from '../support/agent/stage.ts';

it('signs in by short id, releases two of three documents, logs out, and leaves nothing on the page', async () => {
  // The page is this user's, and nobody else's (T03).
  const config = { kiosk: { user: userInfo().uid } };
  await using stage = await setStage({ terminal: { readers: [] }, config });
  const { cloud, printer } = stage;
  // The service lets people sign in by short id, and by name and password.
  cloud.state.terminalConfigs = cloud.state.terminalConfigs.map((one) => ({ ...one, devices: [7] }));
  cloud.addDocument({ owner: 'alice', name: 'Minutes.pdf', pages: 2 });
  await using agent = await stage.start();
  await agent.told('terminal ready');
  await using passerBy = await passBy(agent);
  await passerBy.reads('Hold your card to the reader.');
  // Nobody can type yet.
  expect(passerBy.views.at(-1)?.offers).toBeUndefined();

  const page = await launchPage(stage, agent);
  await using screen = await watchScreen(agent, page);
  await expect.poll(() => screen.views.at(-1)?.offers).toEqual(['short-id', 'password']);
  const { generation = 0 } = screen.views.at(-1) ?? {};
  const logIn = { command: 'log-in', way: 'short-id', shortId: '4711', generation } as const;
  expect(await page.say(logIn)).toBe(204);
  expect(await page.say(logIn)).toBe(409);
  await expect.poll(() => screen.views.at(-1)?.documents).toHaveLength(3);
  const shown = screen.views.at(-1);
  expect(shown).toMatchObject({ state: 'choosing', fullName: 'Alice Archer' });

  const chosen = shown?.documents?.slice(1).map(({ uuid }) => uuid) ?? [];
  const now = { generation: shown?.generation ?? 0 };
  expect(await page.say({ command: 'release', documentUuids: chosen, ...now })).toBe(204);
  for (const _ of chosen) expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect(printer.outputs).toHaveLength(2);
  await expect.poll(() => screen.views.at(-1)?.documents).toHaveLength(1);

  expect(await page.say({ command: 'log-out', ...now })).toBe(204);
  expect(await agent.told('session closed')).toMatchObject({ reason: 'logout' });
  await screen.reads('Hold your card to the reader.');
  const ofAlice = /Alice|Minutes|Quarterly|Welcome|alice/;
  expect(JSON.stringify(screen.views.at(-1))).not.toMatch(ofAlice);
  expect(JSON.stringify(passerBy.views)).not.toMatch(ofAlice);
  const log = agent.records.map((record) => JSON.stringify(record)).join('\n');
  // As a word: the log has ids of chance.
  expect(log).not.toMatch(/\b4711\b/);
  expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
});

it('stays let in when the agent is restarted, without anybody going there', async () => {
  await using stage = await setStage({ terminal: { login: { shortId: true } } });
  const before = await stage.start();
  await before.told('agent started');
  const { cookie } = await launchPage(stage, before);
  await before.stop();

  await using agent = await stage.start();
  await agent.told('terminal ready');
  const page: Omit<KioskPage, 'say'> = { cookie };
  await using screen = await watchScreen(agent, page);
  await expect.poll(() => screen.views.at(-1)?.offers).toContain('short-id');
  const { generation = 0 } = screen.views.at(-1) ?? {};
  const ofPage = { cookie, [pageHeader]: page.name ?? '' };
  const headers = { 'content-type': 'application/json', origin: agent.kiosk, ...ofPage };
  const body = JSON.stringify({ command: 'log-in', way: 'short-id', shortId: '4711', generation });
  const answer = await fetch(`${agent.kiosk}/t/lobby/commands`, { method: 'POST', headers, body });
  expect(answer.status).toBe(204);
});
