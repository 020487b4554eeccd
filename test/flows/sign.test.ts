/**
 * A screen says where it is: the printer by its name in the service, the place by the configuration; and which money it
 * means.
 */
import { expect, it } from 'vitest';
import { passBy } from '../support/agent/screen.ts';
import { setStage } from '../support/agent/stage.ts';

it('who passes by sees which printer this is, where it stands, and in which currency it counts', async () => {
  await using stage = await setStage({
    terminal: { place: 'Second floor, beside the lifts' },
    config: { kiosk: { currency: 'EUR' } },
  });
  await using agent = await stage.start();
  await agent.told('terminal ready');
  await using screen = await passBy(agent);
  await expect
    .poll(() => screen.views.at(-1))
    .toMatchObject({
      sign: { printer: 'Lobby', place: 'Second floor, beside the lifts' },
      currency: 'EUR',
    });
});

it('says nothing of what nobody has told it', async () => {
  await using stage = await setStage();
  await using agent = await stage.start();
  await agent.told('terminal ready');
  await using screen = await passBy(agent);
  await expect.poll(() => screen.views.at(-1)?.sign).toEqual({ printer: 'Lobby' });
  expect(screen.views.at(-1)).not.toHaveProperty('currency');
});
