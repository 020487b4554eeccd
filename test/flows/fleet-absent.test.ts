/** Without `fleet:` in its configuration an agent loads nothing of a fleet (F4). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram } from '../support/program.ts';
import { setStage } from '../support/agent/stage.ts';

/** Tells on standard error of each module that is loaded, as the loader has it. */
const teller = `
import { registerHooks } from 'node:module';
// Who is started with it refuses to run.
delete process.env.NODE_OPTIONS;
registerHooks({
  load(url, context, next) {
    process.stderr.write('loaded ' + url + '\\n');
    return next(url, context);
  },
});`;

const isOfAFleet = (line: string): boolean => /\/src\/fleet\/|\/node_modules\/pg[-/]/.test(line);

async function loadedBy(config: Readonly<Record<string, object>>): Promise<readonly string[]> {
  await using stage = await setStage({ config });
  const hook = join(stage.folder, 'teller.mjs');
  writeFileSync(hook, teller);
  await using program = startProgram(['run', '-c', stage.configFile], {
    program: [process.execPath, '--expose-gc', 'src/main.ts'],
    env: { NODE_OPTIONS: `--import ${hook}` },
  });
  await program.logged('agent started');
  program.child.kill('SIGTERM');
  await program.exited;
  return program.stderr().split('\n');
}

it('nothing of a fleet is loaded where none is configured, and all of it where one is', async () => {
  const alone = await loadedBy({});
  expect(alone.filter((line) => /\/src\/agent\/agent\.ts/.test(line))).toHaveLength(1);
  expect(alone.filter(isOfAFleet)).toEqual([]);
  const url = 'postgresql://platen:secret@127.0.0.1:1/fleet';
  const member = await loadedBy({ fleet: { engine: { url }, key: Buffer.alloc(32, 7).toString('base64') } });
  expect(member.filter(isOfAFleet).length).toBeGreaterThan(5);
});
