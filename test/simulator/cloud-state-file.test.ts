/** The file that a simulated cloud keeps its state in: whole, its own, and nobody else's to read. */
import { mkdtempDisposable, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { enrol } from '../support/cloud/hand-client.ts';

const room = () => mkdtempDisposable(join(tmpdir(), 'platen-cloud-'));

test.each(['', '{', 'null', '5', '{"format":3}', '{"format":3,"users":[],"documents":5}'])(
  'a file that holds %j is refused in a sentence that names it',
  async (text) => {
    await using folder = await room();
    const stateFile = join(folder.path, 'cloud.json');
    await writeFile(stateFile, text);
    await expect(startCloud({ stateFile })).rejects.toThrow(RangeError);
    await expect(startCloud({ stateFile })).rejects.toThrow(stateFile);
    expect(await readFile(stateFile, 'utf8')).toBe(text);
  },
);

test.each(['/dev/zero', '/dev/null', tmpdir()])('%s is no file for it', async (stateFile) => {
  await expect(startCloud({ stateFile })).rejects.toThrow('no file');
});

test('what lies where it is written is not written into', async () => {
  await using folder = await room();
  const [stateFile, other] = [join(folder.path, 'cloud.json'), join(folder.path, 'other')];
  await writeFile(other, 'mine');
  await symlink(other, `${stateFile}.new`);
  await using _ = await startCloud({ stateFile });
  expect(await readFile(other, 'utf8')).toBe('mine');
  expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
});

test('of two clouds with one file the later one has it, and the other one tells', async () => {
  await using folder = await room();
  const stateFile = join(folder.path, 'cloud.json');
  await using first = await startCloud({ stateFile });
  const heard: string[] = [];
  first.onEvent((sentence) => void heard.push(sentence));
  await using second = await startCloud({ stateFile });
  second.addUser({ userName: 'dora', cards: ['D0'] });
  await enrol(first);
  await first.waitFor(() => heard.some((one) => one.includes('another program keeps its state there')));
  expect(await readFile(stateFile, 'utf8')).toContain('"dora"');
});
