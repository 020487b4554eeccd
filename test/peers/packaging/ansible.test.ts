/**
 * The example for configuration management (systemd/ansible) before its linter, and what it writes before our own
 * schema.
 */
import { execFile } from 'node:child_process';
import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../../src/config/load.ts';
import { needsPeer } from '../../support/needs.ts';

const example = fileURLToPath(new URL('../../../systemd/ansible', import.meta.url));

const tasksPath = join(example, 'roles/platen/tasks');

async function tasksIn(file: string): Promise<readonly Record<string, unknown>[]> {
  return parse(await readFile(join(tasksPath, file), 'utf8')) as Record<string, unknown>[];
}

/** A task of the role that asks `platen status`, once, with an answer of the test's for it. */
async function statusTask(file: string, registered: string): Promise<Record<string, unknown>> {
  const found = (await tasksIn(file)).findLast(({ register }) => register === registered) ?? {};
  const { retries: _retries, delay: _delay, until: _until, ...task } = found;
  return task;
}

/** How each task of a play on this machine ended. */
async function outcomesOf(
  tasks: readonly object[],
  home: string,
): Promise<readonly (string | undefined)[][]> {
  const file = join(home, 'play.yml');
  await writeFile(file, stringify([{ hosts: 'localhost', connection: 'local', gather_facts: false, tasks }]));
  const said = await run('ansible-playbook', ['-i', 'localhost,', file], home);
  return [...said.matchAll(/^TASK \[(.+?)\].*\n(ok|fatal|changed)/gm)].map(([, name, is]) => [name, is]);
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
    for (const file of await readdir(tasksPath)) {
      expect(await readFile(join(tasksPath, file), 'utf8')).not.toContain('/var/lib/platen');
    }
  });

  it('has new gateways approved all at once, then goes on in batches of one, then a tenth, and stops at the first fault', async () => {
    const plays = parse(await readFile(join(example, 'site.yml'), 'utf8')) as Record<string, unknown>[];
    expect(plays).toMatchObject([
      { tasks: [{ 'ansible.builtin.import_role': { tasks_from: 'registration' } }] },
      { tasks: [{ 'ansible.builtin.import_role': { tasks_from: 'approval' } }] },
      { serial: [1, '10%'], max_fail_percentage: 0, roles: ['platen'] },
    ]);
    expect(plays.slice(0, 2).flatMap((play) => Object.keys(play))).not.toContain('serial');
  });

  it('goes on to the batches with gateways that are approved', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'platen-ansible-'));
    const task = await statusTask('approval.yml', 'platen_approval');
    const cases = [
      ['approved', 3_600_000, 0],
      ['approved, and not all is well', 3_600_000, 1],
      ['waiting', 0, 1],
      ['not running', 3_600_000, 3],
    ] as const;
    const tasks = cases.map(([name, tokenExpiresIn, code]) => ({
      ...task,
      name,
      ignore_errors: true,
      'ansible.builtin.command': {
        argv: ['sh', '-c', `echo '${JSON.stringify({ enrollment: { tokenExpiresIn } })}'; exit ${code}`],
      },
    }));
    expect(await outcomesOf(tasks, home.path)).toEqual([
      ['approved', 'ok'],
      ['approved, and not all is well', 'ok'],
      ['waiting', 'fatal'],
      ['not running', 'fatal'],
    ]);
  });

  it('T19: seals the key for the machine, and shows it to nobody', async () => {
    const about = (await tasksIn('setup.yml')).filter((task) =>
      JSON.stringify(task).includes('platen_api_key'),
    );
    expect(about.map(({ name, no_log }) => [name, no_log])).toEqual([
      ['The API key is sealed for this machine', true],
      ['The API key is in no file in the clear, or in this one alone', true],
    ]);
    const [sealing = {}] = about;
    expect(sealing['ansible.builtin.command']).toMatchObject({
      cmd: 'systemd-creds encrypt --name=api-key - /etc/credstore.encrypted/api-key',
      stdin: '{{ platen_api_key }}',
    });
  });

  it('halts by the rule of a fleet: where fewer terminals are ready than before', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'platen-ansible-'));
    const task = await statusTask('main.yml', 'platen_readiness');
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
      name,
      ignore_errors: true,
      'ansible.builtin.command': { argv: ['sh', '-c', `cat ${home.path}/${after}.json; exit 1`] },
      vars: {
        ...(task['vars'] as object),
        platen_before: before,
        platen_fewest_ready: name === 'fewer on purpose' ? 1 : 1000,
      },
    }));
    expect(await outcomesOf(tasks, home.path)).toEqual(
      cases.map(([name]) => [name, name === 'fewer' ? 'fatal' : 'ok']),
    );
  });

  it.each([true, false])('writes configurations that Platen takes, the key sealed: %s', async (isSealed) => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'platen-ansible-'));
    await writeFile(join(home.path, 'api-key'), 'a-key\n', { mode: 0o600 });
    const variables = {
      platen_settings: { log: { level: 'warn' } },
      platen_operations: '127.0.0.1:7381',
      platen_seal_key: isSealed,
    };
    const file = join(home.path, '{{ inventory_hostname }}.yaml');
    await run(
      'ansible',
      [
        '-i',
        'inventory.yml',
        'print_gateways',
        '-c',
        'local',
        '-m',
        'ansible.builtin.template',
        '-a',
        `src=roles/platen/templates/platen.yaml.j2 dest="${file}" mode=0600`,
        '-e',
        JSON.stringify(variables),
      ],
      home.path,
    );
    const configs = ['vienna', 'porto'].map((place) =>
      loadConfig(join(home.path, `gateway-${place}.example.com.yaml`), {
        ...(isSealed ? { CREDENTIALS_DIRECTORY: home.path } : {}),
      }),
    );
    expect(configs.map(({ terminals }) => terminals.map(({ id }) => id))).toEqual([
      ['lobby', 'drawing-office'],
      ['entrance'],
    ]);
    expect(configs.map(({ log }) => log.level)).toEqual(['warn', 'warn']);
  });
});
