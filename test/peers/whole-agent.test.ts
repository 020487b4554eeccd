/** The whole agent between real programs: the printer is CUPS's, the reader's port is socat's. */
import { expect, it, onTestFinished } from 'vitest';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import { startIppEvePrinter } from './ippeveprinter.ts';
import { createSocatPair } from './socat.ts';

const session = { autoRelease: true };

needsPeer('dbus-daemon', 'dbus-daemon')('with a system bus', () => {
  needsPeer('ippeveprinter', 'cups-ipp-utils')('ippeveprinter', () => {
    it('receives the documents a badge let out, byte for byte as the cloud had them, each once (I1)', async () => {
      await using peer = await startIppEvePrinter();
      const printer = { uri: peer.uri, stallSeconds: 5 };
      await using stage = await setStage({ terminal: { session, printer } });
      const { cloud, reader } = stage;
      const waiting = cloud.state.documents.filter(({ owner }) => owner === 'alice');
      const agent = await stage.start();
      await agent.told('terminal ready');
      await agent.told('reader up');
      reader.tap(aliceCard);
      for (const _ of waiting) {
        expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
        await agent.told('history accepted');
      }
      await cloud.waitFor(() => waiting.every(({ info }) => info.status === 2));
      const received = await peer.documents();
      expect(received).toHaveLength(waiting.length);
      expect(received.map((bytes, index) => waiting[index]?.bytes.equals(bytes))).toEqual(
        waiting.map(() => true),
      );
      expect(await peer.lastJob()).toMatchObject({ IPP_JOB_ORIGINATING_USER_NAME: 'alice' });
      expect(cloud.deviations).toEqual([]);
    });
  });
});

needsPeer('socat', 'socat')('a reader on a port of socat', () => {
  it('is killed and started again under the running agent, and the next badge works (I7)', async () => {
    const port = await createSocatPair();
    onTestFinished(() => port[Symbol.asyncDispose]());
    await port.plugIn();
    await using stage = await setStage({
      terminal: { session, readers: [{ type: 'serial', path: port.path }] },
    });
    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    await port.write(`${aliceCard}\r\n`);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });

    await port.unplug('SIGKILL');
    expect(await agent.told('reader down')).toMatchObject({ level: 'warn' });
    await port.plugIn();
    await agent.told('reader up');
    await port.write(`${bobCard}\r\n`);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    expect(stage.printer.outputs).toHaveLength(3);
    expect(agent.records.filter(({ msg }) => msg === 'reader down')).toHaveLength(1);
  });
});
