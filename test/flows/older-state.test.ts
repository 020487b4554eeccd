/** An older copy of the state directory is put back: the service knows of prints that it does not know. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import { minutes } from '../../src/core/duration.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';
import type { Stage } from '../support/agent/stage.ts';
import { forwardClock } from '../support/forward-clock.ts';

const isOlder = ({ code }: LogRecord) => code === 'state-older';

async function printedBy(stage: Stage, card: string): Promise<void> {
  await using agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  stage.reader.tap(card);
  await agent.told('history accepted');
  await agent.stop();
}

it('is told of once; a state directory that goes on is not called so', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ clock, terminal: { session: { autoRelease: true } } });
  const [state, copy] = [join(stage.folder, 'state'), join(stage.folder, 'copy')];
  const asked = () =>
    stage.cloud.calls.filter(({ method, path }) => method === 'GET' && path.includes('/documents/history'));
  await printedBy(stage, aliceCard);
  await cp(state, copy, { recursive: true });
  clock.forward(minutes(5));
  await printedBy(stage, bobCard);
  expect(asked()).toHaveLength(1);
  clock.forward(minutes(5));

  await rm(state, { recursive: true });
  await cp(copy, state, { recursive: true });
  await using older = await stage.start();
  expect(await older.told('condition raised', isOlder)).toMatchObject({
    severity: 'warning',
    detail: expect.stringMatching(
      /record of a print at lobby from .*, and this state directory knows of nothing after /,
    ),
  });
  await older.stop();

  clock.forward(minutes(5));
  const before = asked().length;
  await using next = await stage.start();
  await expect.poll(() => asked().length).toBeGreaterThan(before);
  await next.told('status reported');
  expect(next.records.filter(isOlder)).toEqual([]);
});
