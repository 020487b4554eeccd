/**
 * A printer that sleeps (Canon, HP: 18 to 28 s to the first word): whoever stands there reads that it wakes up, and the
 * document comes out once. Its looks from time to time wait as well, and are shown to nobody.
 */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { say, startHostilePrinter } from '../support/printer/hostile-printer.ts';
import { enter, prepareStage } from '../support/agent/running-stage.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { passBy, watchScreen } from '../support/agent/screen.ts';

const wakes = 'The printer is waking up…';

it('a printer that sleeps for twenty seconds is told to wake up, and prints the document once', async () => {
  await using printer = await startHostilePrinter();
  await using stage = await prepareStage({ terminal: { printer: { uri: printer.uri, stallSeconds: 5 } } });
  await using running = await enter(stage);
  const { agent, clock } = running;
  await using passerBy = await passBy(agent);
  await using screen = await watchScreen(agent, await launchPage(stage, agent));
  await expect.poll(() => printer.operations.length).toBeGreaterThan(0);

  const awake = Promise.withResolvers<void>();
  printer.be('Get-Printer-Attributes', async (exchange) => {
    await awake.promise;
    say(exchange);
  });
  const asked = () => printer.operations.filter((one) => one === 'Get-Printer-Attributes').length;
  const before = asked();
  clock.forward(seconds(70));
  await expect.poll(asked).toBe(before + 1);
  clock.forward(seconds(5));
  await running.badge();
  // The look began by itself; this one is asked for the document.
  await expect.poll(asked).toBe(before + 2);
  expect(screen.views.map(({ sentence }) => sentence)).not.toContain(wakes);
  clock.forward(seconds(3));
  await screen.reads(wakes);
  expect(screen.views.at(-1)?.progress).toMatchObject([{ stage: 'waiting', wait: 'waking-up' }]);
  await passerBy.reads('Printing. Please wait for your pages.');
  expect(JSON.stringify(passerBy.views)).not.toMatch(/progress|waking/);

  clock.forward(seconds(17));
  printer.clear();
  awake.resolve();
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  await agent.told('session closed');
  expect(printer.documents).toHaveLength(1);
  const waits = screen.views.flatMap(({ progress = [] }) => progress.map(({ wait }) => wait));
  expect(waits.at(-1)).toBeUndefined();
  expect(
    agent.records.filter(({ msg, code }) => msg === 'condition raised' && String(code).startsWith('printer')),
  ).toEqual([]);
});

it('a printer that is busy with another document says so, and prints when it is free', async () => {
  await using printer = await startHostilePrinter();
  await using stage = await prepareStage({ terminal: { printer: { uri: printer.uri, stallSeconds: 5 } } });
  await using running = await enter(stage);
  const { agent, clock } = running;
  await using screen = await watchScreen(agent, await launchPage(stage, agent));
  const code = 0x0507;
  printer.be('Create-Job', ({ response, answer }) =>
    say({ response, answer: { ...answer, code, groups: [] } }),
  );
  await running.badge();
  await screen.reads('The printer is busy with another document.');
  expect(screen.views.at(-1)?.progress).toMatchObject([{ wait: 'busy' }]);
  printer.clear();
  expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
  expect(printer.documents).toHaveLength(1);
});
