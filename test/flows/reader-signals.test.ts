/** The user's story at a reader with a light: it shows that the card was accepted, that all is out, and a refusal. */
import { expect, it } from 'vitest';
import { startVirtualReader } from '../../src/simulator/reader/reader.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

it('a serial reader shows the person what became of the badge', async () => {
  await using reader = await startVirtualReader();
  const signals = { accepted: 'rfid:out.led=2\r', refused: 'rfid:out.led=1\r', done: '\x02beep\xff\x03' };
  await using stage = await setStage({
    terminal: {
      session: { autoRelease: true },
      readers: [{ type: 'serial', path: reader.path, signals }],
    },
  });
  const agent = await stage.start();
  await agent.told('terminal ready');

  reader.tap(aliceCard);
  await agent.told('session opened');
  await expect.poll(() => reader.received()).toBe(signals.accepted);
  expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
  await expect.poll(() => reader.received()).toBe(signals.accepted + signals.done);

  // What comes at once would be the reader's answer.
  stage.awaitAnotherBadge();
  reader.tap('FFFF');
  await agent.told('login failed');
  await expect.poll(() => reader.received()).toBe(signals.accepted + signals.done + signals.refused);
});
