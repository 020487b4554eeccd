/**
 * The example for configuration management (systemd/ansible) before its linter, and what it writes before our own
 * schema.
 */
import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { needsPeer } from './availability.ts';

const example = fileURLToPath(new URL('../../systemd/ansible', import.meta.url));

async function run(program: string, args: readonly string[], home: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: home, ANSIBLE_LOCAL_TEMP: home, LANG: 'C.UTF-8' };
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: example, env });
  return stdout + stderr;
}

needsPeer('ansible-lint', 'ansible-lint')('the Ansible example', () => {
  it('passes the linter at its strictest', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'platen-ansible-'));
    const said = await run(
      'ansible-lint',
      ['--offline', '--nocolor', '--profile', 'production', 'site.yml', 'roles'],
      home.path,
    );
    expect(said).toMatch(/Passed with production profile: 0 failure\(s\), 0 warning\(s\)/);
  });

  it('goes as root by no path in the folder of the service, where the service could lay what it likes (T26)', async () => {
    const tasks = await readFile(join(example, 'roles/platen/tasks/main.yml'), 'utf8');
    expect(tasks).not.toContain('/var/lib/platen');
  });

  it('writes configurations that Platen takes', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'platen-ansible-'));
    await writeFile(join(home.path, 'api-key'), 'a-key\n', { mode: 0o600 });
    const variables = { platen_settings: { log: { level: 'warn' } }, platen_operations: '127.0.0.1:7381' };
    const file = join(home.path, '{{ inventory_hostname }}.yaml');
    await run(
      'ansible',
      [
        ...['-i', 'inventory.yml', 'print_gateways', '-c', 'local', '-m', 'ansible.builtin.template'],
        ...['-a', `src=roles/platen/templates/platen.yaml.j2 dest="${file}" mode=0600`],
        ...['-e', JSON.stringify(variables)],
      ],
      home.path,
    );
    const configs = ['vienna', 'porto'].map((place) =>
      loadConfig(join(home.path, `gateway-${place}.example.com.yaml`), {}),
    );
    expect(configs.map(({ terminals }) => terminals.map(({ id }) => id))).toEqual([
      ['lobby', 'drawing-office'],
      ['entrance'],
    ]);
    expect(configs.map(({ log }) => log.level)).toEqual(['warn', 'warn']);
  });
});
