/** Print all of many: in order, the next one coming in while one prints, and in turns with others (issue 4, point 6). */
import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { startVirtualReader } from '../../src/simulator/reader/reader.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { launchScreen } from '../support/agent/screen.ts';
import type { Stage, StageOptions } from '../support/agent/stage.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';

const session = { autoRelease: true };

/** alice has twenty documents; what happens to them, in the order in which service and printer saw it. */
async function stageOfMany(options: StageOptions) {
  const clock = forwardClock();
  const stage = await setStage({ ...options, clock });
  const { cloud, printer } = stage;
  const isAlices = ({ owner }: { owner: string }) => owner === 'alice';
  while (cloud.state.documents.filter(isAlices).length < 20) {
    cloud.addDocument({ owner: 'alice', name: `Part ${cloud.state.documents.length}.pdf`, pages: 1 });
  }
  const names = cloud.state.documents.filter(isAlices).map(({ info }) => info.documentName);
  const seen: string[] = [];
  const nameIn = (sentence: string) => /“(.*?)(?: \[[0-9a-f]{8}\])?”/.exec(sentence)?.[1] ?? '';
  cloud.onEvent((sentence) => {
    if (sentence.startsWith('content: ')) seen.push(`${nameIn(sentence)} is fetched`);
  });
  printer.onEvent((sentence) => {
    if (sentence.includes('” came out')) seen.push(`${nameIn(sentence)} came out`);
  });
  return { clock, stage, names, seen };
}

const waiting = ({ cloud }: Stage) =>
  cloud.state.documents
    .filter(({ owner, info }) => owner === 'alice' && info.status === documentStatus.READY)
    .map(({ info }) => info.documentName);
const cameOut = (seen: readonly string[]) =>
  seen.filter((one) => one.endsWith(' came out')).map((one) => one.slice(0, -' came out'.length));

describe('twenty documents', () => {
  it('come out in the order of the list, up to a jam; the rest waits untouched until it is cleared', async () => {
    const printer = { pageTime: milliseconds(60) };
    const leaving = { ...session, logoutTimeoutSeconds: 10 };
    const { clock, stage, names, seen } = await stageOfMany({ printer, terminal: { session: leaving } });
    await using _ = stage;
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const unhook = stage.printer.onEvent(() => {
      if (stage.printer.outputs.length < 6) return;
      unhook();
      void stage.printer.behave({ kind: 'jam', afterPages: 0 });
    });
    stage.reader.tap(aliceCard);
    await clock.standStill(agent.told('card read'));
    await clock.hurry(stage.printer.waitFor(() => stage.printer.jobs.length === 7));
    // Nobody mends it: the session runs out, and what stands in the printer is cancelled (T29).
    expect(await clock.hurry(agent.told('session closed'))).toMatchObject({ reason: 'timeout' });
    const notPrinted = agent.told('release ended', ({ outcome }) => outcome !== 'completed');
    expect(await clock.hurry(notPrinted)).toMatchObject({ outcome: 'failed', code: 'printer-stalled' });
    expect(cameOut(seen)).toEqual(names.slice(0, 6));
    for (const [index, name] of names.slice(0, 5).entries()) {
      const next = names[index + 1] ?? '';
      expect(seen.indexOf(`${next} is fetched`)).toBeLessThan(seen.indexOf(`${name} came out`));
    }
    await clock.hurry(stage.cloud.waitFor(() => waiting(stage).length === 14));
    expect(waiting(stage)).toEqual(names.slice(6));
    // Of what had not come to the printer only the next eight had been fetched.
    expect(seen.filter((one) => one.endsWith(' is fetched'))).toHaveLength(7 + 8);
    expect(stage.printer.jobs).toHaveLength(7);
    const skipped = () => agent.records.filter(({ msg }) => msg === 'release skipped');
    await expect.poll(() => skipped().length).toBe(13);

    await stage.printer.clear();
    stage.awaitSameBadge();
    stage.reader.tap(aliceCard);
    await clock.standStill(agent.told('card read'));
    await clock.hurry(agent.told('session closed', ({ reason }) => reason === 'released'));
    expect(cameOut(seen)).toEqual(names);
    await clock.hurry(stage.cloud.waitFor(() => waiting(stage).length === 0));
    expect([...stage.cloud.deviations, ...stage.printer.deviations]).toEqual([]);
  });

  it('at one terminal do not keep the one document waiting at another, and its owner is told', async () => {
    await using reader = await startVirtualReader({});
    const stairs = {
      id: 'stairs',
      serialNumber: 'SN-0002',
      session,
      readers: [{ type: 'serial', path: reader.path }],
    };
    const printer = { pageTime: milliseconds(300) };
    const { clock, stage, seen } = await stageOfMany({ printer, terminal: { session }, others: [stairs] });
    await using _ = stage;
    await using agent = await stage.start();
    for (const terminal of ['lobby', 'stairs']) {
      await agent.told('terminal ready', (record) => record['terminal'] === terminal);
      await agent.told('reader up', (record) => record['terminal'] === terminal);
    }
    await using screen = await launchScreen(agent);
    reader.tap(aliceCard);
    await clock.standStill(agent.told('card read'));
    await clock.hurry(stage.printer.waitFor(() => cameOut(seen).length === 2));
    stage.reader.tap(bobCard);
    await clock.standStill(agent.told('card read'));
    await clock.hurry(screen.showed('Another document is being printed at this printer. Yours comes next.'));
    const before = cameOut(seen).length;
    await clock.hurry(agent.told('session closed', ({ terminal }) => terminal === 'lobby'));
    const bobs = stage.printer.outputs.findIndex(({ jobName }) => jobName.startsWith('Menu'));
    expect(stage.printer.outputs.length).toBeLessThan(10);
    expect(bobs - before).toBeLessThanOrEqual(1);
  });

  it('come out also when the reader is unplugged in the middle', async () => {
    const { clock, stage, names, seen } = await stageOfMany({ terminal: { session } });
    await using _ = stage;
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    stage.reader.tap(aliceCard);
    await clock.standStill(agent.told('card read'));
    await clock.hurry(stage.printer.waitFor(() => stage.printer.outputs.length === 1));
    await stage.reader[Symbol.asyncDispose]();
    await agent.told('reader down');
    await clock.hurry(agent.told('session closed', ({ reason }) => reason === 'released'));
    expect(cameOut(seen)).toEqual(names);
  });
});
