/** The whole agent and a real CUPS: what comes out is read behind the queue, whatever anybody reports. */
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import { bobCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import { queueName, startCupsd } from './cupsd.ts';
import { eventually } from '../support/patience.ts';

/** One badge, one document: bob's. */
async function setUp() {
  const peer = await startCupsd();
  onTestFinished(() => peer[Symbol.asyncDispose]());
  const printer = { uri: peer.uri, stallSeconds: 5 };
  const stage = await setStage({ terminal: { session: { autoRelease: true }, printer } });
  onTestFinished(() => stage[Symbol.asyncDispose]());
  const waiting = stage.cloud.state.documents.filter(({ owner }) => owner === 'bob');
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  const tap = () => stage.reader.tap(bobCard);
  const expected = waiting.map(({ bytes }) => Buffer.from(bytes));
  return { peer, agent, cloud: stage.cloud, awaitSameBadge: stage.awaitSameBadge, tap, expected };
}

/** Platen has looked once, and the second is over by which CUPS tells when it began. */
const untilSeenBegun = (): Promise<void> => systemClock.sleep(seconds(1.5));

needsPeer('cupsd', 'cups-daemon')('CUPS', () => {
  needsPeer('lpadmin', 'cups-client')('and its administration', () => {
    it('prints what a badge lets out, byte for byte, once (I1)', async () => {
      const { peer, agent, tap, expected } = await setUp();
      tap();
      expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
      await agent.told('history accepted');
      expect(await peer.documents()).toEqual(expected);
    });

    it('is given nothing of a document that commands the printer (T16)', async () => {
      const { peer, agent, cloud, tap } = await setUp();
      const command = Buffer.from('\u001b%-12345X@PJL RESET\r\n', 'latin1');
      for (const document of cloud.state.documents) {
        Object.assign(document, { bytes: Buffer.concat([document.bytes, command]) });
      }
      tap();
      expect(await agent.told('release ended')).toMatchObject({
        outcome: 'failed',
        code: 'document-not-printable',
      });
      expect(await peer.documents()).toEqual([]);
    });

    it('with the queue stopped prints nothing, and once it is started the next badge prints it once', async () => {
      const { peer, agent, tap, awaitSameBadge, expected } = await setUp();
      await peer.administer('cupsdisable', queueName);
      tap();
      expect(await agent.told('release ended')).toMatchObject({
        outcome: 'failed',
        code: 'printer-not-ready',
      });
      expect(await peer.documents()).toEqual([]);
      await peer.administer('cupsenable', queueName);
      awaitSameBadge();
      tap();
      expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
      expect(await peer.documents()).toEqual(expected);
    });

    it('gone before the badge prints nothing; back again, the next badge prints it once', async () => {
      const { peer, agent, tap, awaitSameBadge, expected } = await setUp();
      await peer.switchOff();
      tap();
      expect(await agent.told('release ended')).toMatchObject({
        outcome: 'failed',
        code: 'printer-unreachable',
      });
      await peer.restart('SIGTERM');
      awaitSameBadge();
      tap();
      expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
      expect(await peer.documents()).toEqual(expected);
    });

    it.each([
      ['at once', () => Promise.resolve()],
      ['for more than a second', untilSeenBegun],
    ])(
      'killed and started again while it prints %s: one output at most, the outcome unknown, and never again by itself',
      async (_, printing) => {
        const { peer, agent, tap } = await setUp();
        await peer.hold();
        tap();
        await eventually(async () => expect(await peer.begun()).toBe(1));
        await printing();
        await peer.restart('SIGKILL');
        expect(await agent.told('release ended')).toMatchObject({ outcome: 'unknown' });
        await peer.letGo();
        tap();
        expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
        await eventually(async () => expect(await peer.documents()).toHaveLength(1));
        expect(agent.records.filter(({ msg }) => msg === 'release started')).toHaveLength(1);
      },
    );
  });
});
