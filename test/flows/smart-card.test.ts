/** The user's story at a smart-card reader: lay the card on it, see the documents, take it away, and nobody sees them. */
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createPcscDaemon } from '../support/reader/pcsc-daemon.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

const device = 'ACS ACR122U PICC Interface 00 00';
const name = 'pcsc ACS*';

it('a session opens with the card, outlives a restart of pcscd, and ends when the card is taken away (I1)', async () => {
  await using stage = await setStage({
    terminal: { readers: [{ type: 'pcsc', reader: 'ACS*', removalEndsSession: true }] },
  });
  await using pcscd = createPcscDaemon(join(stage.folder, 'pcscd.comm'));
  pcscd.readers.push({ name: device, events: 0, bits: 2, answers: '' });
  vi.stubEnv('PCSCLITE_CSOCK_NAME', pcscd.path);
  await pcscd.start();
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up', (record) => record['reader'] === name);

  pcscd.lay(`${aliceCard}9000`);
  await agent.told('session opened');
  await pcscd.kill();
  expect(await agent.told('reader down')).toMatchObject({
    error: { message: expect.stringContaining('systemctl start pcscd.socket') as string },
  });
  Object.assign(pcscd.readers[0] ?? {}, { events: 1 });
  await pcscd.start();
  await agent.told('reader up', (record) => record['reader'] === name);
  pcscd.take();
  expect(await agent.told('session closed')).toMatchObject({ reason: 'logout' });
  expect(agent.records.filter(({ msg }) => msg === 'card read')).toHaveLength(1);
  expect(JSON.stringify(agent.records)).not.toContain(aliceCard);

  await agent.stop();
  vi.unstubAllEnvs();
});
