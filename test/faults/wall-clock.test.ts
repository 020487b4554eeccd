/**
 * The gateway's wall clock is wrong, and set right while somebody prints (INVARIANTS.md B.4 tables 9 and 11, D14): whoever
 * reads the service's history finds each print at its time, and what nobody could confirm waits for a word as long as ever.
 */
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../src/core/clock.ts';
import { hours, minutes } from '../../src/core/duration.ts';
import { startVirtualSocketPrinter } from '../../src/simulator/printer/raw/socket-printer.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import type { ForwardClock } from '../support/forward-clock.ts';
import { forwardClock } from '../support/forward-clock.ts';

describe.each([
  ['most of a day ahead', hours(20)],
  ['most of a day behind', hours(-20)],
  ['decades behind', hours(-25 * 365 * 24)],
])('a wall clock %s', (_, wrongBy) => {
  /** An agent whose wall clock is wrong until somebody sets it; the service's is right. */
  async function agentWithWrongClock(terminal: object = {}) {
    await using opened = new AsyncDisposableStack();
    let off = Number(wrongBy);
    const running = forwardClock();
    const clock: ForwardClock = { ...running, now: () => running.now() + off };
    const stage = opened.use(
      await setStage({
        clock,
        terminal: { session: { autoRelease: true }, ...terminal },
        cloud: { clock: running, seed: { ...sampleData, documents: [] } },
      }),
    );
    const agent = opened.use(await stage.start());
    await agent.told('terminal ready');
    await agent.told('reader up');
    const held = opened.move();
    return {
      cloud: stage.cloud,
      agent,
      awaitSameBadge: stage.awaitSameBadge,
      async release(name: string) {
        stage.cloud.addDocument({ owner: 'alice', name });
        stage.reader.tap(aliceCard);
        return await agent.told('release ended');
      },
      setRight() {
        off = 0;
      },
      async counts() {
        const answer = await fetch(`${agent.operations}/status`);
        return ((await answer.json()) as { outbox: unknown }).outbox;
      },
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  }

  it('I2: the record arrives at once, and with the time that it was', async () => {
    await using place = await agentWithWrongClock();
    const { agent, cloud } = place;
    expect(await place.release('Wrong.pdf')).toMatchObject({ outcome: 'completed' });
    await agent.told('history accepted');
    await agent.told('session closed');
    place.setRight();
    place.awaitSameBadge();
    await place.release('Right.pdf');
    await agent.told('history accepted');
    expect(cloud.state.history.map(({ title }) => title)).toEqual(['Wrong.pdf', 'Right.pdf']);
    for (const { dateTime, at } of cloud.state.history) {
      expect(Math.abs((parseInstant(dateTime ?? '') ?? 0) - at)).toBeLessThan(minutes(1));
    }
    expect(cloud.deviations).toEqual([]);
  });

  it('D14: what is unknown is held before the clock is set, and after it', async () => {
    await using raw = await startVirtualSocketPrinter();
    await using place = await agentWithWrongClock({ printer: { uri: raw.uri, requireConfirmation: true } });
    expect(await place.release('Perhaps.pdf')).toMatchObject({ outcome: 'unknown' });
    expect(await place.counts()).toMatchObject({ waiting: 0, held: 1 });
    place.setRight();
    expect(await place.counts()).toMatchObject({ waiting: 0, held: 1 });
    expect(place.cloud.state.history).toEqual([]);
  });
});
