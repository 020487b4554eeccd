/** What a secret is sealed with is said: a key on the disk is no TPM. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { openVault, sealOf } from '../../../src/commands/init/service/sealed.ts';
import { usualConfig } from '../../../src/commands/usual-options.ts';

/** The first octets of what systemd-creds(1) 252 wrote with `--with-key=host`, and of the example in systemd's CREDENTIALS.md. */
const byHost = 'Whxqht+dQJax1aZeCGLxmiAAAAABAAAADAAAABAAAADc6vhfuMqyfEfKh7MAAAAA';
const byBoth = 'k6iUCUh0RJCQyvL8k8q1UyAAAAABAAAADAAAABAAAAC1lFmbWAqWZ8dCCQkAAAAA';

it.each([
  [byHost, 'host'],
  [byBoth, 'host and TPM'],
  ['AAAA', undefined],
  ['', undefined],
  ['not base64 at all!', undefined],
])('%s is sealed with %s', (credential, by) => {
  expect(sealOf(credential)).toBe(by);
});

it.runIf(process.getuid?.() === 0).each([
  ['host', byHost, true, true],
  ['host', byHost, false, false],
  ['host and TPM', byBoth, true, false],
])('a seal with %s, a TPM there: idle where it is not used', async (by, credential, hasTpm, isIdle) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-seal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tpm = join(folder, 'tpmrm0');
  if (hasTpm) await writeFile(tpm, '');
  const vault = await openVault({
    file: usualConfig,
    systemd: folder,
    tpm,
    reader: { uid: 1, gid: 1 },
    run: async (program) => ({ code: 0, stdout: program === 'systemd-creds' ? credential : '', stderr: '' }),
    io: { out() {}, error() {}, env: {}, clock: systemClock, stop: new AbortController().signal },
  });
  expect([vault?.sealsWith, vault?.hasIdleTpm]).toEqual([by, isIdle]);
});
