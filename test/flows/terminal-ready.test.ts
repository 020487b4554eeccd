/** `terminal ready` in the log: scripts wait for it, and administrators take it at its word. */
import { expect, it } from 'vitest';
import { setStage } from '../support/agent/stage.ts';
import { passBy } from '../support/agent/screen.ts';
import { say, startHostilePrinter } from '../support/printer/hostile-printer.ts';

it('comes when the printer is known, and not before: the screen takes cards meanwhile', async () => {
  await using printer = await startHostilePrinter();
  const awake = Promise.withResolvers<void>();
  printer.be('Get-Printer-Attributes', async (exchange) => {
    await awake.promise;
    say(exchange);
  });
  await using stage = await setStage({ terminal: { printer: { uri: printer.uri } } });
  await using agent = await stage.start();
  await using screen = await passBy(agent);
  await agent.told('terminal back in service');
  await expect.poll(() => screen.views.at(-1)?.state).toBe('prompting');
  expect(agent.records.map(({ msg }) => msg)).not.toContain('terminal ready');
  printer.clear();
  awake.resolve();
  expect(await agent.told('terminal ready')).toMatchObject({ terminal: 'lobby', printer: 'ready' });
});

it('comes with a printer that is off, and says so', async () => {
  await using stage = await setStage();
  await stage.printer.behave({ kind: 'refuse-connections' });
  await using agent = await stage.start();
  expect(await agent.told('terminal ready')).toMatchObject({ terminal: 'lobby', printer: 'not-ready' });
});

it('knows of no printer where the service prints', async () => {
  await using stage = await setStage({ terminal: { delivery: 'cloud' } });
  await stage.printer.behave({ kind: 'refuse-connections' });
  await using agent = await stage.start();
  expect(await agent.told('terminal ready')).not.toHaveProperty('printer');
});

it('comes once, and once more after an outage', async () => {
  await using stage = await setStage({ cloud: { approval: 'by-hand' } });
  await using agent = await stage.start();
  await agent.told('terminal out of service', ({ reason }) => reason === 'not-approved');
  expect(agent.records.map(({ msg }) => msg)).not.toContain('terminal ready');
  stage.cloud.approve();
  await agent.told('terminal ready');
  await agent.told('status reported');
  expect(agent.records.filter(({ msg }) => msg === 'terminal ready')).toHaveLength(1);
});
