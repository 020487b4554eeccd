/** The badge reader says nonsense, too much, or nothing any more (INVARIANTS.md B.4, 1 Badge read). */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { startVirtualReader } from '../../src/simulator/reader/reader.ts';
import { aliceCard, bobCard } from '../support/agent/stage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { RunningStage } from '../support/agent/running-stage.ts';
import { expectPrintedOnce, setRunningStage } from '../support/agent/running-stage.ts';

const logins = ({ cloud }: RunningStage) =>
  cloud.calls
    .filter(({ path }) => path === '/api/v1/login')
    .map(({ body }) => new URLSearchParams(body).get('userid'));

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

describe('what is no card number is thrown away: nobody is logged in, and the next badge works (I7, I8)', () => {
  it.each<[string, string | Uint8Array]>([
    ['every byte there is', Buffer.concat([everyByte, Buffer.from('\r\n')])],
    ['the noise of a wrong baud rate', Buffer.from('f8009e80e6fe86f8800a', 'hex')],
    ['NULs', '\0\0\0\0\0\0\r\n'],
    ['terminal escapes', '\u001b[31m04A1B2C3D4\u001b[0m\r\n'],
    ['letters of eight bits', 'Zürich\r\n'],
    ['a line that is empty behind its rules', '   =04A1B2C3D4\r\n'],
    ['100 KB without an end', `${'A'.repeat(100_000)}\r\n`],
  ])('%s', async (_, bytes) => {
    await using stage = await setRunningStage();
    stage.reader.write(bytes);
    await stage.agent.told('garbage read');
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(stage);
    expect(logins(stage)).toEqual([aliceCard]);
  });

  it('half a number, and then silence: not even the next badge is taken for its end', async () => {
    await using stage = await setRunningStage();
    // The line before it shows when it has arrived.
    stage.reader.write(`\u0001\r\n${aliceCard.slice(0, 6)}`);
    await stage.agent.told('garbage read');
    stage.clock.forward(seconds(1));
    stage.reader.tap(bobCard);
    await stage.agent.told('garbage read');
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(stage);
    expect(logins(stage)).toEqual([aliceCard]);
  });
});

describe('badges', () => {
  it('two within 300 ms: the first wins, and the second is served when it is held again', async () => {
    await using stage = await setRunningStage();
    const { agent, clock, cloud, printer, reader } = stage;
    cloud.addDocument({ owner: 'bob', name: 'Menu.pdf' });
    reader.write(`${aliceCard}\r\n${bobCard}\r\n`);
    await agent.told('second card ignored');
    await clock.hurry(agent.told('session closed'));
    await expectPrintedOnce(stage);
    expect(logins(stage)).toEqual([aliceCard]);
    clock.forward(seconds(2));
    reader.tap(bobCard);
    expect(await clock.hurry(agent.told('session closed'))).toMatchObject({ reason: 'released' });
    expect(printer.outputs).toHaveLength(2);
  });

  it('one that is read forty times in a row counts once', async () => {
    await using stage = await setRunningStage();
    stage.reader.write(`${aliceCard}\r\n`.repeat(40));
    await stage.clock.hurry(stage.agent.told('session closed'));
    await expectPrintedOnce(stage);
    expect(logins(stage)).toEqual([aliceCard]);
  });
});

describe('the device', () => {
  it('vanishes and comes back under the same name: the terminal says so, and serves again by itself (I7)', async () => {
    using folder = temporaryDirectory();
    const link = join(folder.path, 'reader');
    const plugged = await startVirtualReader({ link });
    await using stage = await setRunningStage({ terminal: { readers: [{ type: 'serial', path: link }] } });
    const { agent, clock } = stage;
    const ready = async () => (await fetch(`${agent.operations}/readyz`)).status;

    await plugged[Symbol.asyncDispose]();
    expect(await clock.hurry(agent.told('reader down'))).toMatchObject({ level: 'warn' });
    expect(await agent.told('condition raised', ({ code }) => code === 'reader-unavailable')).toMatchObject({
      scope: 'lobby',
      subject: link,
    });
    expect(await ready()).toBe(503);

    await using again = await startVirtualReader({ link });
    await clock.hurry(agent.told('reader up'));
    await agent.told('condition cleared', ({ code }) => code === 'reader-unavailable');
    again.tap(aliceCard);
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(stage);
    expect(await ready()).toBe(200);
  });
});
