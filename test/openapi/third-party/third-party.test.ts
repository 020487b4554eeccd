/** A client that others make of the OpenAPI document, with their own tools, goes through all calls of the embedded cloud. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startCloud } from '../../../src/simulator/cloud/cloud.ts';
import { operations } from '../../support/cloud/description.ts';
import { documentFile } from '../../support/cloud/document.ts';
import { complaintsAbout } from '../../support/cloud/exchanges.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A field with a default may be left out of a request. */
const habits = ['--default-non-nullable', 'false'];

/** The walk beside the types that were made of the document, in a folder of its own that finds the project's packages. */
async function madeWalk(): Promise<AsyncDisposable & { folder: string }> {
  await mkdir(join(root, 'test-output'), { recursive: true });
  const folder = await mkdtemp(join(root, 'test-output', 'third-party-'));
  const made = { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const generator = join(root, 'tools/third-party/node_modules/openapi-typescript/bin/cli.js');
  await run(process.execPath, [generator, documentFile, '--output', join(folder, 'service.ts'), ...habits]);
  await copyFile(join(import.meta.dirname, 'walk.ts'), join(folder, 'walk.ts'));
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['walk.ts'] }));
  return made;
}

async function complaintsOfTypes(folder: string): Promise<string> {
  const compiled = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  const { stdout } = await compiled.catch((error: unknown) => error as { stdout: string });
  return stdout;
}

/** An authority, and a chain under it in PKCS#12, made by openssl(1). */
async function madeFiles(folder: string) {
  const openssl = (...words: readonly string[]) => run('openssl', words, { cwd: folder });
  const subject = (name: string) => ['-subj', `/CN=${name}`, '-days', '30', '-nodes', '-newkey', 'ec'];
  const curve = ['-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  await openssl('req', '-x509', ...subject('Third party'), ...curve, '-keyout', 'ca.key', '-out', 'ca.pem');
  await openssl(
    'req',
    '-x509',
    ...subject('print.example.org'),
    ...curve,
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-keyout',
    'leaf.key',
    '-out',
    'leaf.pem',
  );
  await openssl(
    'pkcs12',
    '-export',
    '-inkey',
    'leaf.key',
    '-in',
    'leaf.pem',
    '-certfile',
    'ca.pem',
    '-out',
    'chain.p12',
    '-passout',
    'pass:keystore',
  );
  const type = 'application/octet-stream';
  return {
    authority: new File([await readFile(join(folder, 'ca.pem'))], 'ca.pem', { type }),
    chain: new File([await readFile(join(folder, 'chain.p12'))], 'chain.p12', { type }),
    password: 'keystore',
  };
}

it('fits by its types, and makes every call without a mistake', async () => {
  await using made = await madeWalk();
  expect(await complaintsOfTypes(made.folder)).toBe('');
  const { walk } = (await import(pathToFileURL(join(made.folder, 'walk.ts')).href)) as {
    walk(service: object, files: object): Promise<void>;
  };
  await using cloud = await startCloud();
  await walk(cloud, await madeFiles(made.folder));

  const called = new Set(cloud.calls.map(({ method, path }) => `${method} ${path}`));
  const uncalled = operations.filter(
    ({ method, pattern }) =>
      ![...called].some((one) => one.startsWith(`${method} `) && pattern.test(one.slice(method.length + 1))),
  );
  expect(uncalled.map(({ operationId }) => operationId)).toEqual([]);
  expect(complaintsAbout(cloud.calls)).toEqual([]);
  expect(cloud.deviations.every((one) => one.includes('a deprecated call'))).toBe(true);
});
