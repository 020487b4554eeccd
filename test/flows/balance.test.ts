/** Where prints are charged, a person sees what they cost, and nothing comes out that is not covered (I9). */
import { describe, expect, it } from 'vitest';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { complaintsAbout } from '../support/cloud/exchanges.ts';
import { launchScreen, passBy } from '../support/agent/screen.ts';
import type { Stage, StageOptions } from '../support/agent/stage.ts';
import { aliceCard, bobCard, carolCard, setStage } from '../support/agent/stage.ts';

const atTenCents = { bwNormalPage: 0.1, bwLargePage: 0.1, colorNormalPage: 0.1, colorLargePage: 0.1 };
const waitingOf = ({ cloud }: Stage, owner: string) =>
  cloud.state.documents
    .filter((one) => one.owner === owner && one.info.status === documentStatus.READY)
    .map(({ info }) => info.documentName);

/** alice has three documents, of one page, of three, and of two. */
async function chargingStage(quota: number, terminal: StageOptions['terminal'] = {}) {
  const stage = await setStage({ terminal });
  stage.cloud.addDocument({ owner: 'alice', name: 'Minutes.pdf', pages: 2 });
  stage.cloud.setPrices(atTenCents);
  stage.cloud.setUserBalance('alice', { quota, wallet: 0.02 });
  return stage;
}

describe('a person with a balance', () => {
  it('sees what fits, prints that with the second badge, and finds the dear one still waiting', async () => {
    await using stage = await chargingStage(0.3);
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    await using screen = await launchScreen(agent);
    await using passerBy = await passBy(agent);
    await screen.reads('Hold your card to the reader.');

    stage.reader.tap(aliceCard);
    await screen.reads(
      'Your balance is 0.32. 2 of 3 documents fit (0.30). Hold your card to the reader again to print.',
    );
    await expect
      .poll(() => screen.views.at(-1)?.balance?.costs)
      .toEqual([
        { cost: '0.10', fits: true },
        { cost: '0.30', fits: false },
        { cost: '0.20', fits: true },
      ]);

    stage.awaitSameBadge();
    stage.reader.tap(aliceCard);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    await screen.reads('Hold your card to the reader.');
    expect(stage.printer.outputs).toHaveLength(2);
    await stage.cloud.waitFor(() => waitingOf(stage, 'alice').length === 1);
    expect(waitingOf(stage, 'alice')).toEqual(['Quarterly report.pdf']);
    const { state } = stage.cloud;
    const left = () => state.balances.find(({ userName }) => userName === 'alice');
    // Each of the two prints has cost what was said of it.
    await stage.cloud.waitFor(() => left()?.quota === 0);
    expect(left()).toMatchObject({ quota: 0, wallet: 20_000 });
    await passerBy.showed('Somebody is signed in.');
    expect(JSON.stringify(passerBy.views)).not.toMatch(
      /alice|Quarterly|Minutes|Welcome|0\.[123]|waiting|left/,
    );
    expect(stage.cloud.deviations).toEqual([]);
    expect(complaintsAbout(stage.cloud.calls)).toEqual([]);
  });

  it('who leaves takes the figures along: the next one sees none of them (I3)', async () => {
    await using stage = await chargingStage(0.77);
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    await using screen = await launchScreen(agent);
    stage.reader.tap(aliceCard);
    await screen.reads(
      'Your balance is 0.79. 3 of 3 documents fit (0.60). Hold your card to the reader again to print.',
    );
    stage.awaitAnotherBadge();
    const seen = screen.views.length;
    stage.reader.tap(bobCard);
    await screen.reads('Your balance is 0.00. Your document costs too much (0.20).');
    expect(JSON.stringify(screen.views.slice(seen))).not.toContain('0.79');
  });

  it('that does not suffice reads so where the first badge prints, and nothing comes out (I9)', async () => {
    await using stage = await chargingStage(0, { session: { autoRelease: true } });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    await using screen = await launchScreen(agent);
    stage.reader.tap(aliceCard);
    expect(await agent.told('release ended')).toMatchObject({
      outcome: 'failed',
      code: 'balance-insufficient',
    });
    await screen.showed('Your balance is not enough for this document.');
    await agent.told('session closed');
    expect(stage.printer.jobs).toEqual([]);
    expect(waitingOf(stage, 'alice')).toHaveLength(3);
  });
});

it('a document of no pages and no paper, as the list has it, is checked as that by a strict service, and printed (I9)', async () => {
  await using stage = await setStage({ terminal: { session: { autoRelease: true } } });
  const empty = { totalPages: 0, colorPages: 0, paperSize: '' };
  stage.cloud.addDocument({ owner: 'carol', name: 'Not counted.pdf', info: empty });
  stage.cloud.setPrices(atTenCents);
  await using agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  stage.reader.tap(carolCard);
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  const check = stage.cloud.calls.find(({ path }) => path.endsWith('/balance/check'));
  expect(check?.status).toBe(200);
  expect(JSON.parse(check?.body ?? '')).toMatchObject(empty);
  expect(stage.cloud.deviations).toEqual([]);
});

describe('where the balance cannot be checked', () => {
  it('because the service refuses the question (400), nothing is printed, whatever balance.onError says (I9)', async () => {
    await using stage = await setStage({
      terminal: { session: { autoRelease: true } },
      config: { balance: { onError: 'allow' } },
    });
    stage.cloud.always({ path: '/balance/check' }, { kind: 'status', status: 400 });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    stage.reader.tap(bobCard);
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'failed', code: 'balance-unknown' });
    expect(await agent.told('session closed')).toMatchObject({
      reason: 'released',
      documents: 1,
      notPrinted: 1,
    });
    expect(stage.printer.outputs).toEqual([]);
  });

  it.each([
    ['nobody was charged yet, the print is let through', 'auto', 1],
    ['balance.onError says deny, nothing is printed', 'deny', 0],
  ])('and %s (I9; row 35)', async (_words, onError, outputs) => {
    await using stage = await setStage({
      terminal: { session: { autoRelease: true } },
      config: { balance: { onError } },
    });
    stage.cloud.always({ path: '/balance/check' }, { kind: 'status', status: 503 });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    stage.reader.tap(bobCard);
    await agent.told('session closed');
    expect(stage.printer.outputs).toHaveLength(outputs);
    await stage.cloud.waitFor(() => waitingOf(stage, 'bob').length === 1 - outputs);
  });
});
