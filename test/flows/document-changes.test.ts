/**
 * A person changes how a document is printed, at the kiosk page; what was asked for is what comes out, costs and
 * counts.
 */
import { expect, it } from 'vitest';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { watchScreen } from '../support/agent/screen.ts';
import type { Stage, StageOptions } from '../support/agent/stage.ts';
import { setStage } from '../support/agent/stage.ts';

const saving = { copies: 1, color: false, sides: 'two-sided-long-edge' } as const;
const prices = { bwNormalPage: 0.05, bwLargePage: 0.05, colorNormalPage: 0.2, colorLargePage: 0.2 };

/**
 * alice has a plan of four pages in colour, on one side, three copies, and a letter that was sent grey and two-sided; she
 * is signed in at an open page.
 */
async function atTheList(terminal: StageOptions['terminal'] = {}) {
  await using opened = new AsyncDisposableStack();
  const stage = opened.use(await setStage({ terminal: { login: { shortId: true }, ...terminal } }));
  const { cloud } = stage;
  cloud.state.documents = cloud.state.documents.filter(({ owner }) => owner !== 'alice');
  const plan = cloud.addDocument({ owner: 'alice', name: 'Plan.pdf', pages: 4, info: { copies: 3 } });
  const info = { grayscale: true, duplex: 2 };
  const letter = cloud.addDocument({ owner: 'alice', name: 'Letter.pdf', pages: 2, info });
  cloud.setPrices(prices);
  cloud.setUserBalance('alice', { quota: 5, wallet: 0 });
  const agent = await stage.start();
  await agent.told('terminal ready');
  const page = await launchPage(stage, agent);
  const screen = opened.use(await watchScreen(agent, page));
  await expect.poll(() => screen.views.at(-1)?.offers).toContain('short-id');
  const documents = () => screen.views.at(-1)?.documents ?? [];
  const shown = () => documents()[0];
  const now = () => ({ generation: screen.views.at(-1)?.generation ?? 0 });
  await page.say({ command: 'log-in', way: 'short-id', shortId: '4711', ...now() });
  await expect.poll(() => shown()?.cost).toBe('2.40');
  const held = opened.move();
  return {
    stage,
    agent,
    page,
    plan,
    letter,
    documents,
    shown,
    now,
    change: (wanted: object) =>
      page.say({ command: 'change', documentUuid: plan.info.uuid, ...saving, ...now(), ...wanted }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** The bodies of the balance checks. */
const checks = ({ cloud }: Stage) =>
  cloud.calls
    .filter(({ path }) => path.endsWith('/balance/check'))
    .map(({ body }) => JSON.parse(body) as object);

it('grey, two-sided and once: so it is charged, printed and recorded; a widening is refused', async () => {
  await using at = await atTheList();
  const { stage, agent, page, plan, letter, documents, shown, change, now } = at;
  const { cloud, printer } = stage;
  expect(shown()).toMatchObject({
    copies: 3,
    color: true,
    sides: 'one-sided',
    paper: 'A4',
    sentAt: new Date(plan.info.dateTime).toISOString(),
    options: { grey: true, twoSided: true, mostCopies: 99 },
  });
  expect(await change({})).toBe(204);
  await expect.poll(shown).toMatchObject({ ...saving, cost: '0.20', fits: true });

  await expect.poll(() => documents()[1]).toMatchObject({ cost: '0.10' });
  const before = documents();
  const asSent = { documentUuid: letter.info.uuid, copies: 1, color: false, sides: 'two-sided-short-edge' };
  expect(before[1]).toMatchObject({ color: false, sides: 'two-sided-short-edge' });
  for (const forbidden of [
    { ...asSent, color: true },
    { ...asSent, sides: 'one-sided' },
    { ...asSent, copies: 100 },
    { documentUuid: cloud.state.documents.find(({ owner }) => owner === 'bob')?.info.uuid },
    { generation: now().generation - 1 },
  ]) {
    expect(await change(forbidden)).toBe(409);
  }
  expect(documents()).toEqual(before);

  const documentUuids = [plan.info.uuid];
  expect(await page.say({ command: 'release', documentUuids, ...now() })).toBe(204);
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  const [job] = printer.jobs;
  expect(job?.template.map(({ name, values }) => [name, JSON.stringify(values)])).toEqual([
    ['sides', expect.stringContaining('two-sided-long-edge')],
    ['print-color-mode', expect.stringContaining('monochrome')],
    ['media', expect.stringContaining('iso_a4')],
  ]);
  expect(checks(stage).at(-1)).toMatchObject({ totalPages: 4, colorPages: 0, copies: 1 });
  await cloud.waitFor(() => cloud.state.history.length === 1);
  expect(cloud.state.history).toMatchObject([
    { title: 'Plan.pdf', totalPages: 4, colorPages: 0, duplex: 1, recordedWith: 'device' },
  ]);
  // The bytes came as they were sent.
  const content = cloud.calls.filter(({ path }) => path.endsWith('.content'));
  expect(content.map(({ query }) => query)).toEqual(['retain=true']);
  expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
});

it('where the service prints, it is told what was changed, the last word of it', async () => {
  await using at = await atTheList({ delivery: 'cloud' });
  const { stage, agent, page, plan, change, shown, now } = at;
  const { cloud } = stage;
  expect(await change({ color: true, sides: 'one-sided', copies: 2 })).toBe(204);
  await expect.poll(() => shown()?.copies).toBe(2);
  expect(await change({})).toBe(204);
  await expect.poll(() => shown()?.color).toBe(false);
  await page.say({ command: 'release', documentUuids: [plan.info.uuid], ...now() });
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  const asked = cloud.calls.find(({ method, path }) => method === 'POST' && path.endsWith('/SN-0001'));
  expect(asked?.body).toBe('copies=1&grayscale=true&duplex=1');
  expect(plan.info.status).toBe(documentStatus.PRINTED);
  expect(cloud.state.history).toMatchObject([
    { totalPages: 4, colorPages: 0, duplex: 1, recordedWith: 'service' },
  ]);
  expect(cloud.deviations).toEqual([]);
});

it('where the service only counts what was printed here, it counts that as it was changed', async () => {
  await using at = await atTheList({ finish: 'consume' });
  const { stage, agent, page, plan, change, shown, now } = at;
  expect(await change({ color: true })).toBe(204);
  await expect.poll(() => shown()?.copies).toBe(1);
  await page.say({ command: 'release', documentUuids: [plan.info.uuid], ...now() });
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  await stage.cloud.waitFor(() => plan.consumed);
  const content = stage.cloud.calls.filter(({ path }) => path.endsWith('.content'));
  expect(content.map(({ query }) => query)).toEqual(['retain=true', 'retain=false&copies=1&duplex=1']);
  expect(stage.cloud.deviations).toEqual([]);
});
