/** The administrator's story after a print of which nobody knows: they go to the printer, look, and say what they saw. */
import { expect, it } from 'vitest';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { commandHere } from '../support/command-here.ts';
import { enter, prepareStage } from '../support/agent/running-stage.ts';
import { eventually } from '../support/patience.ts';

/** An agent whose printer broke off in the midst of Alice's document. */
async function afterABreak() {
  await using opened = new AsyncDisposableStack();
  const stage = opened.use(await prepareStage({ documentBytes: 400_000 }));
  const running = opened.use(await enter(stage));
  await stage.printer.behaveOnce({ kind: 'reset', afterBytes: 300_000 });
  const { releaseId, outcome } = await running.release();
  expect(outcome).toBe('unknown');
  const settle = (...words: readonly string[]) =>
    commandHere(['releases', 'settle', String(releaseId).slice(0, 8), ...words, '-c', stage.configFile]);
  const held = opened.move();
  return {
    stage,
    running,
    settle,
    releaseId: String(releaseId),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

it('a print that came out: the record goes to the service at once, and the document leaves the list at the owner’s next badge', async () => {
  await using scene = await afterABreak();
  const { stage, running, settle, releaseId } = scene;
  expect(stage.cloud.state.history).toEqual([]);
  expect(await settle('--came-out')).toEqual({ code: 0, out: '1 release settled.', error: '' });
  await stage.clock.hurry(
    running.agent.told('history accepted', (record) => record['releaseId'] === releaseId),
  );
  expect(stage.document.info.status).toBe(documentStatus.READY);
  await running.badge();
  await eventually(() => expect(stage.document.info.status).toBe(documentStatus.DELETED));
  expect(stage.printer.jobs).toHaveLength(1);
  expect(await settle('--came-out')).toMatchObject({
    code: 1,
    error: expect.stringContaining('does not wait'),
  });
});

it('a print that did not: the service gets no record, the document waits, and nothing prints it by itself', async () => {
  await using scene = await afterABreak();
  const { stage, running, settle, releaseId } = scene;
  expect(await settle('--did-not-come-out')).toMatchObject({ code: 0 });
  expect(running.agent.records).toContainEqual(
    expect.objectContaining({
      msg: 'release settled by an administrator',
      word: 'did-not-come-out',
      by: 4242,
    }),
  );
  await running.badge();
  await stage.clock.hurry(running.agent.told('session opened', () => true));
  expect(stage.printer.jobs).toHaveLength(1);
  expect([stage.cloud.state.history, stage.document.info.status]).toEqual([[], documentStatus.READY]);
  const shown = await commandHere(['releases', 'show', releaseId, '-c', stage.configFile]);
  expect(shown.out).toContain('an administrator says that nothing was printed');
  expect(shown.out).toContain('The service gets no history record of it.');
  const listed = await commandHere(['releases', 'list', '-c', stage.configFile]);
  expect(listed.out).toContain('unknown (did not)');
});

it.each([[[]], [['--came-out', '--did-not-come-out']]])('with %j it says what it wants', async (words) => {
  await using scene = await afterABreak();
  const said = await scene.settle(...words);
  expect(said.code).not.toBe(0);
  expect(said.error).toMatch(/--came-out/);
});
