/**
 * A version of the fleet's configuration that a gateway took while it ran, and on which it cannot start: after a power cut
 * it is back on the one before, and nobody has to come (F15).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { keptFile, keptText, readKept } from '../../src/config/pushed/kept.ts';
import { createSigner } from '../support/fleet/signed-fleet.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { editConfig } from '../support/agent/config-file.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { setStage } from '../support/agent/stage.ts';

it.each(['192.0.2.1:7381', 'the address of another program'])(
  'F15: the agent leaves out a version that has it listen at %s, and starts on the one before',
  async (where) => {
    await using stage = await setStage();
    using keys = temporaryDirectory();
    const signer = createSigner();
    const file = join(keys.path, 'signer.pub');
    writeFileSync(file, signer.pem);
    await editConfig(stage, (config) => {
      delete config['operations'];
      const engine = { url: 'postgresql://p@127.0.0.1:9/p' };
      config['fleet'] = { engine, key: '00'.repeat(32), signers: [file] };
    });
    const listen = where.startsWith('192') ? where : new URL(stage.cloud.baseUrl).host;
    const accepted = (version: number, operations: object) => {
      const base = JSON.stringify({ operations, log: { level: 'info' } });
      const { signed, parts } = signer.version(version, { 'base.yaml': base });
      return { manifest: signed, parts };
    };
    const started = accepted(1, { listen: '127.0.0.1:0' });
    const token = { file: 'operations-token' };
    writeFileSync(join(dirname(stage.configFile), token.file), 'a-token-of-some-length', { mode: 0o600 });
    const taken = accepted(2, { listen, token });
    const stateDir = join(stage.folder, 'state');
    mkdirSync(stateDir, { mode: 0o700 });
    writeFileSync(keptFile(stateDir), keptText({ accepted: taken, started, highest: {} }), { mode: 0o600 });

    const first = await runProgram(['run', '-c', stage.configFile]);
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('with version 2 of the fleet') });
    expect(readKept(stateDir).unfit).toContain('the agent could not start with it: operations.listen: ');

    await using second = startProgram(['run', '-c', stage.configFile]);
    await second.logged('agent started');
    expect(await second.logged('condition raised')).toMatchObject({
      code: 'fleet-config-refused',
      detail: expect.stringContaining('version 1 is in force: version 2 was refused: '),
    });
  },
);
