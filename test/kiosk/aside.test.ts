/** A page that another one took over from, and which waits for its turn (`/t/<id>/events?aside`). */
import { describe, expect, it } from 'vitest';
import { openKiosk } from './open-kiosk.ts';
import type { KioskStage } from './kiosk-stage.ts';
import { listen } from './open-stream.ts';
import { eventually } from '../support/patience.ts';

/** As the page does when it has moved; it gets no frame, so that its first words are what it waits for. */
async function stepAside({ get }: KioskStage, cookie: string) {
  const answer = await get('/t/lobby/events?aside', { headers: { cookie } });
  let text = '';
  void (async () => {
    for await (const part of answer.body ?? []) text += Buffer.from(part).toString();
  })();
  return { text: () => text };
}

const isFree = (one: { text(): string }) => eventually(() => expect(one.text()).toContain('event: free'));

describe('a page that another one took over from', () => {
  it('is told when that one is gone, and nothing of the person meanwhile', async () => {
    const stage = await openKiosk();
    const cookie = await stage.launch();
    const other = await listen(stage, cookie);
    const page = await stepAside(stage, cookie);
    stage.show({ generation: 2, state: 'choosing', sentence: 'One waits.', waiting: 1, fullName: 'Alice' });
    await eventually(() => expect(other.text()).toContain('Alice'));
    expect(page.text()).not.toMatch(/free|Alice|waiting/);
    expect(stage.pages).toEqual(['up']);
    other.leave();
    await isFree(page);
  });

  it('is told at once where none is there', async () => {
    const stage = await openKiosk();
    await isFree(await stepAside(stage, await stage.launch()));
  });

  it('is not told while the other one only hands over to a third', async () => {
    const stage = await openKiosk();
    const cookie = await stage.launch();
    const second = await listen(stage, cookie);
    const page = await stepAside(stage, cookie);
    const third = await listen(stage, cookie);
    await eventually(() => expect(second.ended()).toBe(true));
    expect(page.text()).not.toContain('free');
    third.leave();
    await isFree(page);
  });
});
