/**
 * The administrator changes the configuration of a gateway in use (contract, section 1: SIGHUP; INVARIANTS.md B.4, 11).
 */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { editConfig, statusOf, writeConfig } from '../support/agent/config-file.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';

const badgeMayBeHeldAgain = seconds(2);

it('a terminal is added, a printer moved behind a session, a broken file refused and mended: no one notices', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ clock });
  await using otherPrinter = await startVirtualPrinter();
  const { printer, reader } = stage;
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');

  // A second terminal, at once; the first is not touched.
  await editConfig(stage, ({ terminals }) => {
    terminals.push({ id: 'annex', serialNumber: 'SN-0002', printer: { uri: otherPrinter.uri } });
  });
  expect(await agent.reload()).toMatchObject({
    state: 'reloaded',
    changed: ['terminals.annex'],
    pending: [],
  });
  expect(await agent.told('terminal ready')).toMatchObject({ terminal: 'annex' });
  expect((await fetch(`${agent.kiosk}/t/annex`)).status).toBe(200);

  // Somebody is signed in while the printer of the first one moves.
  reader.tap(aliceCard);
  const { sessionId } = await agent.told('session opened');
  await editConfig(stage, ({ terminals: [lobby = {}] }) => {
    lobby['printer'] = { uri: otherPrinter.uri };
  });
  const waiting = 'lobby: the change waits: somebody is using it';
  expect(await agent.reload()).toMatchObject({ changed: ['terminals.lobby'], pending: [waiting] });
  expect((await statusOf(agent)).config.pending).toEqual([waiting]);

  // A file that makes no sense leaves everything as it is, this change too.
  const mended = await readFile(stage.configFile, 'utf8');
  await writeConfig(stage, 'terminals:\n  - id: lobby\n    colour: red\n');
  expect(await agent.reload()).toMatchObject({ state: 'refused' });
  const [condition] = (await statusOf(agent)).conditions;
  expect(condition).toMatchObject({ code: 'config-not-reloaded', severity: 'error' });
  expect(condition?.detail).toMatch(/platen\.yaml: cloud\.baseUrl: is missing, and \d+ more in the log$/);
  const mistakes = agent.records.filter(({ msg }) => msg === 'config not reloaded');
  expect(mistakes.map(({ mistake }) => String(mistake)).join('\n')).toContain('terminals[0].colour');

  // She prints where she stands; then, and not before, the printer is the other one.
  clock.forward(badgeMayBeHeldAgain);
  expect((await statusOf(agent)).terminals.map((one) => one.printer.uri)).toContain(printer.uri);
  reader.tap(aliceCard);
  expect(await agent.told('session closed')).toMatchObject({ sessionId, reason: 'released' });
  await agent.told('terminal changed', ({ terminal }) => terminal === 'lobby');
  expect([printer.outputs.length > 0, otherPrinter.outputs.length]).toEqual([true, 0]);
  const printed = printer.outputs.length;
  await agent.told('reader up');
  await agent.told('terminal ready', ({ terminal }) => terminal === 'lobby');
  reader.tap(bobCard);
  await agent.told('session opened');
  clock.forward(badgeMayBeHeldAgain);
  reader.tap(bobCard);
  expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
  expect([printer.outputs.length, otherPrinter.outputs.length]).toEqual([printed, 1]);

  // The file is mended, and the second terminal taken out of it.
  await writeConfig(stage, mended);
  await editConfig(stage, ({ terminals }) => void terminals.pop());
  expect(await agent.reload()).toMatchObject({ changed: ['terminals.annex'], pending: [] });
  expect(agent.records.some(({ msg }) => msg === 'terminal removed')).toBe(true);
  expect((await statusOf(agent)).conditions.map(({ code }) => code)).not.toContain('config-not-reloaded');
  expect((await fetch(`${agent.kiosk}/t/annex`)).status).toBe(404);
  expect(await (await fetch(`${agent.operations}/metrics`)).text()).not.toContain('annex');
  expect([...stage.cloud.deviations, ...printer.deviations, ...otherPrinter.deviations]).toEqual([]);
});
