/** Another printer stands there between list and print (INVARIANTS.md T13): the whole story, with the approval. */
import { expect, it } from 'vitest';
import { attribute } from '../../src/ipp/message.ts';
import { uri as uriValue } from '../../src/ipp/values.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { commandHere } from '../support/command-here.ts';
import { bobCard, setStage } from '../support/agent/stage.ts';

it('a swapped printer gets nothing, the document waits, and after the approval it comes out', async () => {
  await using stage = await setStage({ terminal: { session: { autoRelease: false } } });
  const { cloud, reader, configFile } = stage;
  const document = cloud.state.documents.find(({ owner }) => owner === 'bob');
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');

  reader.tap(bobCard);
  await agent.told('session opened');
  await stage.printer[Symbol.asyncDispose]();
  await using other = await startVirtualPrinter({
    port: Number(new URL(stage.printer.uri).port),
    attributes: [attribute('printer-uuid', uriValue('urn:uuid:11111111-2222-4333-8444-555555555555'))],
  });
  stage.awaitSameBadge();
  reader.tap(bobCard);
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'failed', code: 'printer-swapped' });
  expect(other.jobs).toEqual([]);
  expect([document?.info.status, cloud.state.history]).toEqual([documentStatus.READY, []]);
  expect(await agent.told('condition raised', ({ code }) => code === 'printer-swapped')).toMatchObject({
    severity: 'error',
    detail: expect.stringMatching(/printer-uuid was urn:uuid:0.* and is urn:uuid:1/) as string,
  });

  const trust = (...more: readonly string[]) =>
    commandHere(['trust', '-c', configFile, '--printer', 'lobby', '--json', ...more]);
  const [{ offered }] = JSON.parse((await trust()).out) as [{ offered: { fingerprint: string } }];
  expect((await trust('--fingerprint', offered.fingerprint)).error).toContain('approved');
  stage.awaitSameBadge();
  reader.tap(bobCard);
  await agent.told('session opened');
  stage.awaitSameBadge();
  reader.tap(bobCard);
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect(other.outputs).toHaveLength(1);
  await agent.told('condition cleared', ({ code }) => code === 'printer-swapped');
});
