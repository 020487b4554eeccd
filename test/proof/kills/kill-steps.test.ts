/**
 * The same as `kill-random.test.ts`, killed before system calls that are durable or visible (G4): some of them, and all in
 * `npm run campaign`.
 */
import { expect, it } from 'vitest';
import type { KillResult } from '../../campaign/kill-campaign.ts';
import { killInLanes, stepBatches } from '../../campaign/kill-campaign.ts';
import { protocols } from '../../campaign/kill-stage.ts';
import { needsPeer } from '../../support/needs.ts';

/** By which the steps are chosen: always the same ones; the campaign dies before all. */
const seed = 5;
const stepsEach = 3;

const tell = (heading: string, { table }: KillResult): unknown =>
  process.stdout.write(`\n${heading}\n\n${table}\n`);

needsPeer('strace', 'strace')('SIGKILL before a system call', () => {
  it(`${stepsEach} steps of a release on each protocol`, async () => {
    const batches = await Promise.all(protocols.map((protocol) => stepBatches(protocol, stepsEach, seed)));
    const result = await killInLanes(batches.flat());
    tell(`${stepsEach} steps a protocol`, result);
    expect(result.violations).toEqual([]);
  });
});
