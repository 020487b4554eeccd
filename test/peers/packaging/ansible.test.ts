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
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../../src/config/load.ts';
import { needsPeer } from '../../support/needs.ts';

const example = fileURLToPath(new URL('../../../systemd/ansible', import.meta.url));

/** Of the role, the one that looks whether terminals can release. */
async function healthTask(): Promise<Record<string, unknown>> {
  const text = await readFile(join(example, 'roles/platen/tasks/main.yml'), 'utf8');
  const tasks = parse(text) as Record<string, unknown>[];
  return tasks.find(({ register }) => register === 'platen_readiness') ?? {};
}

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

  it('goes on in batches of one, then a tenth, and stops at the first fault', async () => {
    const [play] = parse(await readFile(join(example, 'site.yml'), 'utf8')) as Record<string, unknown>[];
    expect(play).toMatchObject({ serial: [1, '10%'], max_fail_percentage: 0 });
  });

  it('halts by the rule of a fleet: where fewer terminals are ready than before', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'platen-ansible-'));
    const { retries: _retries, delay: _delay, until: _until, ...task } = await healthTask();
    const statusWith = (ready: number) =>
      JSON.stringify({
        ready: true,
        terminals: [0, 1].map((index) => ({ ready: index < ready, outage: null })),
      });
    for (const ready of [1, 2]) await writeFile(join(home.path, `${ready}.json`), statusWith(ready));
    const cases = [
      ['as many', { rc: 1, stdout: statusWith(2) }, 2],
      ['more', { rc: 0, stdout: statusWith(1) }, 2],
      ['fewer', { rc: 0, stdout: statusWith(2) }, 1],
      ['new', { rc: 2, stdout: '' }, 1],
      ['fewer on purpose', { rc: 0, stdout: statusWith(2) }, 1],
    ] as const;
    const tasks = cases.map(([name, before, after]) => ({
      ...task,
      ...{ name, ignore_errors: true },
      'ansible.builtin.command': { argv: ['sh', '-c', `cat ${home.path}/${after}.json; exit 1`] },
      vars: {
        ...(task['vars'] as object),
        ...{ platen_before: before, platen_fewest_ready: name === 'fewer on purpose' ? 1 : 1000 },
      },
    }));
    const file = join(home.path, 'play.yml');
    const play = { hosts: 'localhost', connection: 'local', gather_facts: false, tasks };
    await writeFile(file, stringify([play]));
    const said = await run('ansible-playbook', ['-i', 'localhost,', file], home.path);
    const outcomes = [...said.matchAll(/^TASK \[(.+?)\].*\n(ok|fatal|changed)/gm)].map(([, name, is]) => [
      name,
      is,
    ]);
    expect(outcomes).toEqual(cases.map(([name]) => [name, name === 'fewer' ? 'fatal' : 'ok']));
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
