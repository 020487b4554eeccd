import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signAll, writeProofs } from '../../../tools/package-proof.ts';
import { needsPeer } from '../../support/needs.ts';

const run = promisify(execFile);
const sources = { commit: 'a'.repeat(40), isChanged: false, epoch: 1_700_000_000 };
let folder = '';
let proofs: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-proof-'));
  const packages = ['platen_1.0.0_amd64.deb', 'platen-1.0.0.tgz'].map((name) => join(folder, name));
  for (const file of packages) await writeFile(file, `the content of ${file}`);
  proofs = writeProofs(folder, packages, sources);
});
afterAll(() => rm(folder, { recursive: true }));

describe('T30: what lies beside the packages', () => {
  it('are sums that sha256sum takes, and that a changed package fails', async () => {
    const check = () => run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
    expect((await check()).stdout.trim().split('\n')).toHaveLength(3);
    const file = join(folder, 'platen-1.0.0.tgz');
    const before = await readFile(file);
    await writeFile(file, 'something else');
    await expect(check()).rejects.toMatchObject({ stdout: expect.stringContaining('1.0.0.tgz: FAILED') });
    await writeFile(file, before);
  });

  it('is a statement of in-toto, with the sources and the sum of each package', async () => {
    const said = JSON.parse(await readFile(proofs[1] ?? '', 'utf8')) as object;
    const digest = { sha256: expect.stringMatching(/^[\da-f]{64}$/) };
    expect(said).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: 'platen_1.0.0_amd64.deb', digest },
        { name: 'platen-1.0.0.tgz', digest },
      ],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          resolvedDependencies: expect.arrayContaining([
            { name: 'sources', digest: { gitCommit: sources.commit }, annotations: { changed: false } },
          ]),
        },
      },
    });
  });
});

needsPeer('ssh-keygen', 'openssh-client')('signed with a key of OpenSSH', () => {
  it('the sums are believed of that key alone, and unchanged alone', async () => {
    const keys = ['ours', 'another'].map((name) => join(folder, name));
    for (const key of keys) await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const [ours = '', another = ''] = keys;
    const [signature = ''] = signAll(proofs, ours);
    const verify = async (key: string, file: string) => {
      const allowed = join(folder, 'allowed');
      await writeFile(allowed, `platen ${await readFile(`${key}.pub`, 'utf8')}`);
      const asked = ['-Y', 'verify', '-f', allowed, '-I', 'platen', '-n', 'file', '-s', signature];
      return run('sh', ['-c', 'exec ssh-keygen "$@" <"$0"', file, ...asked]);
    };
    const [sums = '', provenance = ''] = proofs;
    expect((await verify(ours, sums)).stdout).toContain('Good "file" signature for platen');
    await expect(verify(another, sums)).rejects.toMatchObject({ code: 255 });
    await expect(verify(ours, provenance)).rejects.toMatchObject({ code: 255 });
  });
});
