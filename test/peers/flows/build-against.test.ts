/** "Build against it" is true to the last word: its seed, its command and its two walks are run as they stand on the page. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { needsPeer } from '../../support/needs.ts';
import type { Program } from '../../support/program.ts';
import { startProgram } from '../../support/program.ts';

const run = promisify(execFile);
const root = process.cwd();
const page = await readFile('systemd/build-against.md', 'utf8');
const blockOf = (language: string): string => {
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))];
  const [only, another] = blocks.map(([, text]) => text);
  if (only === undefined || another !== undefined) throw new Error(`not one block of ${language}`);
  return only;
};

let folder: string;
let cloud: Program;
/** Where it listens here: port 7300 of the page may be somebody else's. */
let origin: string;
const here = (text: string): string => text.replaceAll('http://127.0.0.1:7300', origin);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-build-against-'));
  await writeFile(join(folder, 'seed.yaml'), blockOf('yaml'));
  const [program, ...args] = blockOf('sh').trim().replace('--port 7300', '--port 0').split(' ');
  if (program !== 'platen') throw new Error(`the page starts ${program}`);
  cloud = startProgram(args, { cwd: folder });
  await cloud.printed('Type help');
  origin = /baseUrl: (\S+)/.exec(cloud.stdout())?.[1] ?? '';
});
afterAll(async () => {
  await cloud[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  await fetch(`${origin}/simulator/reset`, { method: 'POST' });
});

needsPeer('curl', 'curl')('the walk with curl', () => {
  const walk = (text: string) => run('bash', ['-euo', 'pipefail', '-c', here(text)], { cwd: folder });

  it('fetches the document, records it, and ends with no deviation', async () => {
    const { stdout } = await walk(blockOf('bash'));
    expect(stdout).toMatch(/\{"deviations":\[\]\}$/);
    expect((await readFile(join(folder, 'chart.pdf'))).subarray(0, 4).toString()).toBe('%PDF');
    expect(cloud.stdout()).toContain('history: dora, “Chart.pdf”, pages: 2, at Bridge');
  });

  it('adds a person and a document to it, sets permissions, and moves the clock', async () => {
    await walk(blockOf('bash'));
    await run('bash', ['-euo', 'pipefail', '-c', `CLOUD=${origin}\n${blockOf('shell')}`], { cwd: folder });
    expect(cloud.stdout()).toMatch(/^clock: /m);
    expect(await (await fetch(`${origin}/simulator/clock`)).json()).toMatchObject({ aheadSeconds: 3600 });
    const added = new URLSearchParams({ userName: 'erik', permissions: 'all' });
    const erik = await fetch(`${origin}/simulator/permissions`, { method: 'POST', body: added });
    expect(await erik.json()).toMatchObject({ userName: 'erik' });
  });

  it('says which rule was broken where the key is left out of a call', async () => {
    const bare = blockOf('bash').replace(
      ' -H "$key" -H "Authorization: Bearer $user" | field uuid',
      ' || true',
    );
    const { stdout } = await walk(`${bare.slice(0, bare.indexOf('curl -fs "$CLOUD'))}
      curl -fs $CLOUD/simulator/deviations`);
    expect(stdout).toContain('GET /api/v1/documents: X-API-Key is missing (spec, Authentication)');
  });
});

describe('the client that is generated', () => {
  it('lists the document, by types that fit', async () => {
    await mkdir(join(root, 'test-output'), { recursive: true });
    const made = await mkdtemp(join(root, 'test-output', 'generated-'));
    try {
      const generator = join(root, 'tools/third-party/node_modules/openapi-typescript/bin/cli.js');
      const [, command = ''] = /^npx openapi-typescript platen-cloud.openapi.yaml (.+)$/m.exec(page) ?? [];
      const description = join(root, 'config/platen-cloud.openapi.yaml');
      await run(process.execPath, [generator, description, ...command.split(' ')], { cwd: made });
      await writeFile(join(made, 'first.ts'), blockOf('ts'));
      const types = ['--types', 'node', '--skipLibCheck', '--strict', '--noEmit', '--target', 'es2024'];
      const modules = ['--module', 'nodenext', '--allowImportingTsExtensions', '--ignoreConfig'];
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      await run(process.execPath, [compiler, ...types, ...modules, join(made, 'first.ts')]);
      const env = { PATH: process.env['PATH'], CLOUD: origin };
      const { stdout } = await run(process.execPath, [join(made, 'first.ts')], { env });
      expect(stdout).toContain("documentName: 'Chart.pdf'");
      expect(await (await fetch(`${origin}/simulator/deviations`)).json()).toEqual({ deviations: [] });
    } finally {
      await rm(made, { recursive: true });
    }
  });
});

needsPeer('python3', 'python3')('the test in Python', () => {
  const tested = (text: string) =>
    run('python3', ['-c', text], { cwd: folder, env: { PATH: process.env['PATH'], CLOUD: origin } });

  it('is green', async () => {
    const { stderr } = await tested(blockOf('python'));
    expect(stderr).toMatch(/Ran 2 tests in [^]*\nOK\n$/);
  });

  it('is red where its client sends what the specification does not know', async () => {
    const wrong = blockOf('python').replace("'jobtype': 'PRINT'", "'jobType': 'PRINT'");
    await expect(tested(wrong)).rejects.toMatchObject({
      stderr: expect.stringContaining('FAILED'),
    });
  });
});
