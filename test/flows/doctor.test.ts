/**
 * An administrator's two questions to an agent at work, and what a monitoring system is told: well, then out of paper.
 */
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { commandHere } from '../support/command-here.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

it('platen check and platen status find an agent well, and say what its printer needs', async () => {
  await using stage = await setStage({ terminal: { session: { autoRelease: true } } });
  await using agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  await agent.told('status reported');

  // The agent chose its ports itself.
  const settings = parse(await readFile(stage.configFile, 'utf8')) as object;
  const file = join(stage.folder, 'as-it-runs.yaml');
  const at = (url: string) => ({ listen: new URL(url).host });
  const asItRuns = { ...settings, operations: at(agent.operations), kiosk: at(agent.kiosk) };
  await writeFile(file, stringify(asItRuns), { mode: 0o600 });
  await utimes(file, 0, 0);

  const well = await commandHere(['check', '-c', file, '--monitor']);
  expect([well.out.replace(/ \|.*/, ''), well.code]).toEqual([
    expect.stringMatching(/^PLATEN OK - \d+ checks, 1 of 1 terminals ready$/),
    0,
  ]);
  const checked = await commandHere(['check', '-c', file]);
  expect([checked.code, checked.out.match(/FAIL/)]).toEqual([0, null]);
  for (const line of [
    /^ok +cloud /m,
    /^ok +reader of lobby /m,
    /^ok +printer of lobby /m,
    /^ok +agent .* pid \d+, up .*, 1 of 1 terminals ready$/m,
    /^ok +device token .* the device is authorized; its token is valid for/m,
    /^ok +kiosk page .*\/t\/lobby answers$/m,
    /^ok +config .*as-it-runs\.yaml: 1 terminal$/m,
    /^ok +ledger .* undamaged, 0 releases$/m,
    /^ok +terminal lobby .* ready, output port 7$/m,
  ]) {
    expect(checked.out).toMatch(line);
  }
  const shown = await commandHere(['status', '-c', file]);
  expect([shown.code, shown.out]).toEqual([0, expect.stringMatching(/^\* lobby +ready +ready +up +-$/m)]);
  expect(shown.out).toMatch(/^\* platen \S+: ready, 1 of 1 terminals ready$/m);
  const inJson = await commandHere(['status', '-c', file, '--json']);
  expect([inJson.code, JSON.parse(inJson.out)]).toMatchObject([
    0,
    { ready: true, terminals: [{ id: 'lobby', outputPortId: 7 }] },
  ]);

  await stage.printer.behave({ kind: 'stopped', reason: 'media-empty-error' });
  stage.reader.tap(aliceCard);
  await agent.told('condition raised', ({ code }) => code === 'printer-not-ready');
  const empty = await commandHere(['status', '-c', file]);
  expect([empty.code, empty.out]).toEqual([1, expect.stringContaining('needs paper')]);
  expect(empty.out.replace(/\s+/g, ' ')).toContain('The printer is out of paper. Add paper.');
  const critical = await commandHere(['check', '-c', file, '--monitor']);
  expect([critical.code, critical.out]).toEqual([
    2,
    expect.stringMatching(/^PLATEN CRITICAL - printer of lobby: The printer is out of paper\. Add paper/),
  ]);
});
