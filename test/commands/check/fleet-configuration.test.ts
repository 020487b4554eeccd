/** What `platen check` says of the fleet's configuration: whose signatures count, and on which version a gateway starts (F15). */
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { examineFleetConfiguration } from '../../../src/commands/check/fleet-configuration.ts';
import { keptFile, keptText } from '../../../src/config/pushed/kept.ts';
import type { Config } from '../../../src/config/schema/config.ts';
import type { TestSigner } from '../../support/fleet/signed-fleet.ts';
import { createSigner } from '../../support/fleet/signed-fleet.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const call = { signal: new AbortController().signal };

async function look(signers: readonly TestSigner[], version?: ReturnType<TestSigner['version']>) {
  using folder = temporaryDirectory();
  const stateDir = folder.path;
  if (version) {
    const accepted = { manifest: version.signed, parts: { ...version.parts } };
    writeFileSync(keptFile(stateDir), keptText({ accepted, highest: {} }), { mode: 0o600 });
  }
  const [step] = examineFleetConfiguration({ fleet: { signers }, stateDir } as unknown as Config);
  return await step?.examine(call);
}

const signer = createSigner();
const files = { 'base.yaml': 'log: { level: debug }\n' };

it('names the signers by their fingerprints, and the version that is kept', async () => {
  expect(await look([signer], signer.version(7, files))).toEqual({
    state: 'ok',
    detail: `version 7; it accepts signatures of ${signer.fingerprint} (/etc/platen/signer.pub)`,
    facts: { version: 7, signers: [signer.fingerprint] },
  });
  expect(await look([signer])).toMatchObject({
    detail: expect.stringMatching(
      /^no version yet, so this gateway uses only its own file; it accepts signatures of SHA256:/,
    ) as string,
  });
});

it('says that a gateway without signers keeps to its own file', async () => {
  expect(await look([])).toMatchObject({
    state: 'ok',
    detail: 'fleet.signers is empty, so this gateway uses only its own file, and a roll-out halts at it',
  });
});

it('fails where what is kept was signed by nobody who counts any more', async () => {
  await expect(look([createSigner()], signer.version(7, files))).rejects.toMatchObject({
    code: 'fleet-config-refused',
    message: expect.stringMatching(/^the agent does not use the stored version at its start: /) as string,
  });
});
