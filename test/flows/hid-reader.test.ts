/**
 * The user's story at a USB reader: a card that is swiped prints, and a keyboard that is not an event node is not read.
 */
import { expect, it } from 'vitest';
import { setKeyboardStage, setRawStage } from '../contracts/hid-stage.ts';
import { commandHere } from '../support/command-here.ts';
import { freePort } from '../support/ports.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

const swipe = (track: string): Buffer => {
  const report = Buffer.alloc(337);
  report[4] = track.length;
  report.write(track, 117, 'ascii');
  return report;
};

it('a swiped card prints, also after the reader was pulled and put back (I7)', async () => {
  await using node = await setRawStage();
  const reader = { type: 'hid', path: node.path, layout: 'magtek-track-2' };
  await using stage = await setStage({ terminal: { session: { autoRelease: true }, readers: [reader] } });
  const agent = await stage.start();
  await agent.told('terminal ready');

  await node.unplug();
  expect(await agent.told('condition raised', ({ code }) => code === 'reader-unavailable')).toMatchObject({
    subject: node.path,
  });
  await node.plugIn();
  await agent.told('condition cleared', ({ code }) => code === 'reader-unavailable');
  await node.write(swipe(''));
  await agent.told('garbage read');
  await node.write(swipe(`;${aliceCard}=9912?`));
  expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
  expect(stage.printer.outputs.length).toBeGreaterThan(0);
});

it('a keyboard that is not an event node is not read, and the terminal says so (I5)', async () => {
  await using node = await setKeyboardStage();
  await using stage = await setStage({ terminal: { readers: [{ type: 'hid', path: node.path }] } });
  const agent = await stage.start();
  expect(await agent.told('reader down')).toMatchObject({
    error: { code: 'reader-unavailable', message: expect.stringMatching(/is not an event node/) },
  });
  await node.badge(aliceCard);
  expect((await fetch(`${agent.operations}/readyz`)).status).toBe(503);
  expect(stage.cloud.state.history).toEqual([]);
});

it('a device that could be read, and that the agent does not have, is no good reader for check', async () => {
  await using stage = await setStage({
    config: { operations: { listen: `127.0.0.1:${await freePort()}` } },
    terminal: { readers: [{ type: 'hid', path: '/dev/null' }] },
  });
  const check = async () => (await commandHere(['check', '-c', stage.configFile])).out;
  expect(await check()).toMatch(/^ok +reader of lobby .* can be read as a keyboard$/m);
  const agent = await stage.start();
  await agent.told('reader down');
  expect(await check()).toMatch(/^FAIL +reader of lobby .* but the running agent does not use it/m);
});
