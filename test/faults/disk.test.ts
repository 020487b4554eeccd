/** The state directory is full, cannot be written, or belongs to another agent (INVARIANTS.md D8, D12, D13). */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import { runProgram } from '../support/program.ts';
import { mountSmallDisk, needsMount } from '../support/small-disk.ts';
import {
  enter,
  expectPrintedOnce,
  expectUntouched,
  prepareStage,
  setRunningStage,
} from '../support/agent/running-stage.ts';

const mebibyte = 1024 * 1024;
/** More than the 64 MiB that the spool leaves to everything else. */
const size = '80m';
const stateOf = ({ folder }: { folder: string }) => join(folder, 'state');

describe('a state directory that cannot be used', () => {
  it('is a file: the agent does not start, and says so in a line with exit 70', async () => {
    await using stage = await prepareStage();
    writeFileSync(stateOf(stage), 'in the way');
    await expect(stage.start()).rejects.toMatchObject({ code: 'state-unusable' });
    const { code, stdout, stderr } = await runProgram(['run', '-c', stage.configFile]);
    expect([code, stdout]).toEqual([70, '']);
    expect(stderr).toMatch(/^platen: \S+\/state: is not a directory\. .*\n$/);
    expect(stage.cloud.calls).toEqual([]);
  });

  it('belongs to an agent that runs: a second one does not start, and the first goes on (D13)', async () => {
    await using running = await setRunningStage();
    const before = readdirSync(stateOf(running));
    await expect(running.start()).rejects.toMatchObject({ code: 'already-running' });
    expect(readdirSync(stateOf(running))).toEqual(before);
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(running);
  });
});

describe('a full disk', () => {
  needsMount();

  it.each([
    ['no room for the document', 63 * mebibyte, 'spool-full'],
    ['no room at all', 0, 'store-refused'],
  ])('%s: nothing is printed; with room again it works without a restart (D8, I4)', async (_, left, code) => {
    await using stage = await prepareStage();
    using disk = mountSmallDisk(stateOf(stage), { size });
    await using running = await enter(stage);
    // Of itself, before anybody prints.
    const isRoom = ({ subject }: LogRecord) => subject === 'room';
    expect(await running.agent.told('condition raised', isRoom)).toMatchObject({ code: 'disk-filling' });
    disk.fill(left);
    expect(await running.release()).toMatchObject({ level: 'warn', outcome: 'failed', code });
    expectUntouched(running);
    expect(await running.agent.told('condition raised', ({ subject }) => subject === 'disk')).toMatchObject({
      code,
    });
    disk.free();
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    await running.agent.told('condition cleared', ({ subject }) => subject === 'disk');
    await expectPrintedOnce(running);
  });

  it('while the page is printed: the outcome is kept until it can be written, and nothing is lost (I2, D12)', async () => {
    await using stage = await prepareStage();
    using disk = mountSmallDisk(stateOf(stage), { size });
    await using running = await enter(stage);
    const { agent, badge, clock, cloud, printer } = running;
    await printer.behave({ kind: 'hold' });
    await badge();
    await printer.waitFor(() => printer.jobs[0]?.state === 'processing');
    disk.fill();
    await printer.clear();
    await printer.waitFor(() => printer.outputs.length === 1);
    expect(cloud.state.history).toEqual([]);
    disk.free();
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(running);
  });

  it('cannot be written at all: the agent does not start, with exit 70', async () => {
    await using stage = await prepareStage();
    using disk = mountSmallDisk(stateOf(stage), { size: '1m,ro' });
    const { code, stderr } = await runProgram(['run', '-c', stage.configFile]);
    expect(code).toBe(70);
    expect(stderr).toContain(`${disk.path}: cannot be made or written (EROFS)`);
    expect(stage.cloud.calls).toEqual([]);
  });
});
