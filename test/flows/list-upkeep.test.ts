/** A person stands at an empty list, and sends a document from their phone. */
import { expect, it } from 'vitest';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { carolCard, setStage } from '../support/agent/stage.ts';

it('shows a document that is sent while its owner is there, and says that nothing came before', async () => {
  await using stage = await setStage();
  const { cloud, reader, printer } = stage;
  cloud.state.documents = [];
  await using agent = await stage.start();
  await agent.told('terminal ready');
  await using screen = await watchScreen(agent, await launchPage(stage, agent));
  reader.tap(carolCard);
  await expect.poll(() => screen.views.at(-1)?.documents).toEqual([]);
  stage.awaitSameBadge();
  reader.tap(carolCard);
  await expect.poll(() => screen.views.map(({ notice }) => notice?.code)).toContain('nothing-new');
  cloud.addDocument({ owner: 'carol', name: 'From my phone.pdf', pages: 2 });
  await expect.poll(() => screen.views.at(-1)?.documents?.[0]?.name).toBe('From my phone.pdf');
  expect(screen.views.at(-1)?.notice).toMatchObject({ code: 'new-documents', params: { n: 1 } });
  stage.awaitSameBadge();
  reader.tap(carolCard);
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect(printer.outputs).toHaveLength(1);
  expect(cloud.deviations).toEqual([]);
});
