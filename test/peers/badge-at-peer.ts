/** A whole agent at a real printer: Bob badges in, and what waits for him is let out by itself. */
import { expect } from 'vitest';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { CloudOptions } from '../../src/simulator/cloud/cloud.ts';
import { bobCard, setStage } from '../support/agent/stage.ts';

/** One release, up to the end that the cloud hears of; what waited, as the cloud had it. */
export async function releasedToBob(
  printer: { readonly uri: string; readonly stallSeconds: number },
  cloudOptions: CloudOptions = {},
): Promise<readonly Buffer[]> {
  await using stage = await setStage({
    cloud: cloudOptions,
    terminal: { session: { autoRelease: true }, printer },
  });
  const { cloud, reader } = stage;
  const waiting = cloud.state.documents.filter(({ owner }) => owner === 'bob');
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  reader.tap(bobCard);
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  await agent.told('history accepted');
  await cloud.waitFor(() => waiting.every(({ info }) => info.status === documentStatus.DELETED));
  expect(cloud.deviations).toEqual([]);
  return waiting.map(({ bytes }) => Buffer.from(bytes));
}
