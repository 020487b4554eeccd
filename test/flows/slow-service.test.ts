/** The screen tells the truth of a service that is slow or away within 2 s, and nothing of it stays (I7). */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

const greeting = 'Hold your card to the reader.';
const choosing = 'Hold your card to the reader again to print.';

describe('the screen', () => {
  it.each(['/login', '/documents'])(
    'says within 2 s that %s is slow, and goes on when it answers',
    async (path) => {
      await using stage = await setStage();
      await using agent = await stage.start();
      await agent.told('terminal ready');
      await agent.told('reader up');
      await using screen = await watchScreen(agent);
      await screen.reads(greeting);
      stage.cloud.answerNext({ path }, { kind: 'slow-headers', wait: seconds(3) });
      const since = systemClock.monotonic();
      stage.reader.tap(aliceCard);
      await screen.reads('The print service does not answer. Still trying…');
      expect(systemClock.monotonic() - since).toBeLessThan(2500);
      await screen.reads(choosing);
    },
  );

  it('says that the service is away, and stops as soon as it is back', async () => {
    const clock = forwardClock();
    await using stage = await setStage({ clock });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    await using screen = await watchScreen(agent);
    stage.cloud.always({ path: /./ }, { kind: 'reset' });
    stage.reader.tap(aliceCard);
    await screen.reads('The print service cannot be reached.');
    await clock.hurry(screen.reads('The print service cannot be reached at the moment.'));
    stage.cloud.behaveWell();
    await clock.hurry(screen.reads(greeting));
  });
});
