/**
 * Two gateways, and nothing between them but the service: a document that waits at the printer of one is fetched at
 * that of the other (I1). What is left of the race is told in systemd/terminal.md.
 */
import { expect, it } from 'vitest';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { seconds } from '../../src/core/duration.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualReader } from '../../src/simulator/reader/reader.ts';
import { say, startHostilePrinter } from '../support/printer/hostile-printer.ts';
import type { PreparedStage } from '../support/agent/running-stage.ts';
import { enter, prepareStage } from '../support/agent/running-stage.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { aliceCard, runAgent } from '../support/agent/stage.ts';

/** Another gateway of the same account: its own device, terminal, reader and printer. */
async function gatewayBeside({ folder, configFile }: PreparedStage) {
  await using opened = new AsyncDisposableStack();
  const printer = opened.use(await startVirtualPrinter());
  const reader = opened.use(await startVirtualReader({ link: join(folder, 'other-reader') }));
  const config = parse(readFileSync(configFile, 'utf8')) as Record<string, object>;
  const other = join(folder, 'beside.yaml');
  const terminal = {
    id: 'annex',
    serialNumber: 'SN-0002',
    printer: { uri: printer.uri },
    readers: [{ type: 'serial', path: reader.path }],
    session: { autoRelease: true },
  };
  const stateDir = join(folder, 'state-beside');
  writeFileSync(other, stringify({ ...config, stateDir, terminals: [terminal] }), { mode: 0o600 });
  const agent = opened.use(await runAgent(other, {}));
  await agent.told('terminal ready');
  await agent.told('reader up');
  const held = opened.move();
  return { printer, reader, agent, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

it('I1: what waited at one printer and was fetched at the other is not printed again, and its owner reads why', async () => {
  await using printer = await startHostilePrinter();
  await using stage = await prepareStage({ terminal: { printer: { uri: printer.uri, stallSeconds: 5 } } });
  await using running = await enter(stage);
  await using screen = await watchScreen(running.agent, await launchPage(stage, running.agent));
  await expect.poll(() => printer.operations.length).toBeGreaterThan(0);
  const awake = Promise.withResolvers<void>();
  printer.be('Get-Printer-Attributes', async (exchange) => {
    await awake.promise;
    say(exchange);
  });
  // What the agent knows of the printer is too old by now: it asks before it prints, and waits.
  running.clock.forward(seconds(75));
  await running.badge();
  await running.agent.told('release started');
  await expect.poll(() => screen.views.at(-1)?.progress).toMatchObject([{ stage: 'waiting' }]);

  await using beside = await gatewayBeside(stage);
  beside.reader.tap(aliceCard);
  expect(await beside.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  await beside.agent.told('history accepted');
  await stage.cloud.waitFor(() => stage.document.info.status === documentStatus.DELETED);

  running.clock.forward(seconds(3));
  printer.clear();
  awake.resolve();
  expect(await running.agent.told('release ended')).toMatchObject({
    outcome: 'failed',
    code: 'document-not-waiting',
  });
  await screen.showed('This document is no longer waiting. It was printed or deleted elsewhere.');
  expect(printer.documents).toEqual([]);
  expect(beside.printer.outputs).toHaveLength(1);
  expect(stage.cloud.state.history).toHaveLength(1);
});
