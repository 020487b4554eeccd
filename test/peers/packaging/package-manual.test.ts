/** The manual pages and completions, as their readers are: man(1), bash, zsh and fish. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configJsonSchema } from '../../../src/config/known-keys.ts';
import { completions } from '../../../tools/package-completion.ts';
import { manualPages } from '../../../tools/package-manual.ts';
import { platenProgram, withAllBelow } from '../../../tools/package-program.ts';
import { runProgram } from '../../support/program.ts';
import { needsPeer } from '../../support/needs.ts';

const run = promisify(execFile);
const release = { version: '1.0.0', epoch: 1_700_000_000 };

function fileOf(name: string, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-manual-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

needsPeer('man', 'man-db')('the manual', () => {
  /** As it is read, with nothing broken into lines; without a warning. */
  async function read(name: string): Promise<string> {
    const found = manualPages(release).find((page) => page.name === name);
    const file = fileOf(`${name}.${found?.section}`, found?.text ?? '');
    const env = { ...process.env, MANWIDTH: '1000', LC_ALL: 'C.UTF-8' };
    const { stdout, stderr } = await run('man', ['--warnings', '--local-file', file], { env });
    expect(stderr).toBe('');
    return stdout;
  }

  it('platen(8) has every command and option that the program tells of itself', async () => {
    const page = await read('platen');
    const commands = withAllBelow(platenProgram()).filter((command) => command.commands.length === 0);
    const [longest] = commands.toSorted((one, other) => other.options.length - one.options.length);
    const help = await runProgram([...(longest?.name.split(' ').slice(1) ?? []), '--help']);
    const reported = [...help.stdout.matchAll(/(?<=^ .*)--[a-z-]+/gm)].map(([option]) => option);
    expect(reported.length).toBeGreaterThan(3);
    expect(reported.filter((option) => option !== '--help' && !page.includes(option))).toEqual([]);
    expect(
      commands.filter(
        ({ name, description }) => !page.includes(name) || !page.includes(description.slice(1)),
      ),
    ).toEqual([]);
  });

  it('platen.yaml(5) has every key of the configuration', async () => {
    const page = await read('platen.yaml');
    const keys = [...configJsonSchema().matchAll(/"properties": \{\s+"(\w+)"|^ +"(\w+)": \{$/gm)].flatMap(
      ([, first, other]) => [first ?? other ?? ''],
    );
    const ofSchema = ['items', 'properties', 'default', 'propertyNames', 'additionalProperties'];
    const ofSecrets = ['file', 'env', 'credential'];
    expect(keys.length).toBeGreaterThan(60);
    expect(
      keys.filter((key) => !ofSchema.includes(key) && !ofSecrets.includes(key) && !page.includes(key)),
    ).toEqual([]);
  });
});

const scriptFor = (shell: string): string => {
  const [, text = ''] = [...completions()].find(([path]) => path.startsWith(shell)) ?? [];
  return fileOf('platen', text);
};

/** What stands before the cursor, and what of the offers is looked for. */
const cases = [
  { typed: ['platen', 'rel'], offered: 'releases' },
  { typed: ['platen', 'releases', 'sh'], offered: 'show' },
  { typed: ['platen', 'check', '--js'], offered: '--json' },
  { typed: ['platen', 'run', '-c', 'package.j'], offered: 'package.json' },
];

describe('completion', () => {
  it.each(cases)('bash offers $offered after $typed', async ({ typed, offered }) => {
    const words = typed.map((word) => `'${word}'`).join(' ');
    const script = `compopt() { :; }; . ${scriptFor('bash')}
      COMP_WORDS=(${words}); COMP_CWORD=${typed.length - 1}; _platen; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect((await run('bash', ['-euc', script])).stdout.split('\n')).toContain(offered);
  });

  needsPeer('shellcheck', 'shellcheck')('for bash', () => {
    it('holds nothing shellcheck knows of', async () => {
      await expect(run('shellcheck', ['--shell=bash', scriptFor('bash')])).resolves.toMatchObject({
        stdout: '',
      });
    });
  });

  needsPeer('zsh', 'zsh')('in zsh', () => {
    it.each(cases)('offers $offered after $typed', async ({ typed, offered }) => {
      // What zsh's own completion would sort out from here on.
      const script = `_describe() { print -l -- "\${(@P)2}" }; _files() { print -l package.json }; _message() { }
        words=(${typed.map((word) => `'${word}'`).join(' ')}); CURRENT=${typed.length}
        platen() { . ${scriptFor('zsh')} }; platen`;
      const offers = (await run('zsh', ['-f', '-c', script])).stdout.split('\n');
      expect(offers.map((line) => line.replace(/:.*/, ''))).toContain(offered);
    });
  });

  needsPeer('fish', 'fish')('in fish', () => {
    it.each(cases)('offers $offered after $typed', async ({ typed, offered }) => {
      const script = `source ${scriptFor('fish')}; complete -C '${typed.join(' ')}'`;
      const { stdout } = await run('fish', ['--no-config', '-c', script], {
        env: { ...process.env, HOME: tmpdir() },
      });
      expect(stdout.split('\n').map((line) => line.split('\t')[0])).toContain(offered);
    });
  });
});
