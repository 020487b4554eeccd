/** The screen tells the truth of a service that is slow or away within 2 s, and nothing of it stays (I7). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { launchScreen } from '../support/agent/screen.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

const greeting = 'Hold your card to the reader.';
const choosing = 'Hold your card to the reader again to print.';

async function atTheReader() {
  await using opened = new AsyncDisposableStack();
  const clock = forwardClock();
  const stage = opened.use(await setStage({ clock }));
  const agent = opened.use(await stage.start());
  await agent.told('terminal ready');
  await agent.told('reader up');
  const screen = opened.use(await launchScreen(agent));
  await screen.reads(greeting);
  const held = opened.move();
  return {
    clock,
    cloud: stage.cloud,
    screen,
    async badge() {
      stage.reader.tap(aliceCard);
      await clock.standStill(agent.told('card read'));
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

describe('the screen', () => {
  it.each(['/login', '/documents'])(
    'says within 2 s that %s is slow, and goes on when it answers',
    async (path) => {
      await using at = await atTheReader();
      const { clock, cloud, screen } = at;
      cloud.answerNext({ path }, { kind: 'slow-headers', wait: seconds(3) });
      await at.badge();
      const said = screen.reads('The print service does not answer. Still trying…');
      expect(await clock.spanOf(said)).toBeLessThan(seconds(2.1));
      await clock.hurry(screen.reads(choosing));
    },
  );

  it('says that the service is away, and stops as soon as it is back', async () => {
    await using at = await atTheReader();
    const { clock, cloud, screen } = at;
    cloud.always({ path: /./ }, { kind: 'reset' });
    await at.badge();
    await clock.hurry(screen.reads('The print service cannot be reached. We keep trying.'));
    await clock.hurry(screen.reads('The print service cannot be reached. We keep trying.'));
    cloud.behaveWell();
    await clock.hurry(screen.reads(greeting));
  });
});
