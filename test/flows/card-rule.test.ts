/** An administrator finds the card-number rule from three known cards, and people log in by it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commandHere } from '../support/command-here.ts';
import { setStage } from '../support/agent/stage.ts';

/** What this reader gives for alice's card, which the service knows as 04A1B2C3D4. */
const aliceAtThisReader = 'D4C3B2A104';

it('three pairs, the rule learned from them, and the badge logs in with the number stored (I5)', async () => {
  // Other cards of the same reader, with what the service stores for them.
  const pairs = 'read,stored\nE8D7C6B504,04B5C6D7E8\nFCEBDAC904,04C9DAEBFC\nADADADAD04,04ADADADAD\n';
  const folder = await mkdtemp(join(tmpdir(), 'platen-pairs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'pairs.csv');
  await writeFile(file, pairs);
  const { code, out } = await commandHere(['card', 'learn', file, '--json']);
  expect(code).toBe(0);
  const { rules } = JSON.parse(out) as { rules: { rule: string; explains: number }[] };
  expect(rules[0]).toMatchObject({ rule: 'ReverseBytes', explains: 3 });

  const terminal = { card: { rule: rules[0]?.rule }, session: { autoRelease: true } };
  await using stage = await setStage({ terminal });
  const { state } = stage.cloud;
  // What the service says of card numbers does not come on top of a rule.
  state.outputPorts = state.outputPorts.map((port) => ({
    ...port,
    decimalFormatForCardIds: true,
    trimCardId: true,
  }));
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  stage.reader.tap(aliceAtThisReader);
  expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
  expect(stage.printer.outputs).toHaveLength(2);

  stage.awaitSameBadge();
  stage.reader.tap('ZZ-NO-HEX');
  expect(await agent.told('card not converted')).toMatchObject({
    code: 'card-not-convertible',
    detail: 'ReverseBytes needs hexadecimal digits, 0 to F',
    reader: expect.any(String),
  });
  const metrics = await (await fetch(`${agent.operations}/metrics`)).text();
  expect(metrics).toMatch(/^platen_cards_unreadable_total\{terminal="lobby",reader=".*"\} 1$/m);
  expect(JSON.stringify(agent.records)).not.toMatch(/ZZ-NO-HEX|D4C3B2A104|04A1B2C3D4/);
});
