/** The pieces of a support bundle; the whole of it, from a real run, is in `test/flows/support-bundle.test.ts`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askJournal } from '../../src/commands/support/definition.ts';
import { filesLog, journalsLog } from '../../src/commands/support/log.ts';
import { unitText } from '../../src/commands/support/machine.ts';
import { runProgramOf } from '../../src/commands/program.ts';
import { pseudonyms } from '../../src/commands/support/pseudonyms.ts';
import { createScrub } from '../../src/commands/support/bundle.ts';
import { tarOf } from '../../src/commands/support/tar.ts';
import { adminCard, api, enrol, form as formOf, login } from '../support/cloud/hand-client.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { commandHere } from '../support/command-here.ts';
import { setServiceStage } from './service-stage.ts';

function folder(): string {
  const temporary = temporaryDirectory();
  onTestFinished(() => temporary[Symbol.dispose]());
  return temporary.path;
}

describe('the archive', () => {
  it('is one that tar(1) unpacks to the very texts, whatever their length', () => {
    const path = folder();
    const texts = ['', 'a', 'x'.repeat(511), 'x'.repeat(512), `${'ä€😀'.repeat(5000)}\n`];
    const files = texts.map((text, at) => ({ name: `bundle/${at}.txt`, text }));
    writeFileSync(join(path, 'bundle.tar'), tarOf(files, { modifiedAt: Date.UTC(2026, 10, 21) }));
    execFileSync('tar', ['-xf', join(path, 'bundle.tar'), '-C', path]);
    expect(files.map(({ name }) => readFileSync(join(path, name), 'utf8'))).toEqual(texts);
    const listed = execFileSync('tar', ['-tvf', join(path, 'bundle.tar'), '--utc'], { encoding: 'utf8' });
    expect(listed.split('\n')[1]).toMatch(/^-rw------- 0\/0 +1 2026-11-21 00:00 bundle\/1.txt$/);
  });

  it('is not written through a link, nor over a file that is there (T26)', async () => {
    const path = folder();
    const [victim, link] = [join(path, 'victim'), join(path, 'bundle.tar.gz')];
    writeFileSync(victim, 'untouched');
    symlinkSync(victim, link);
    const said = await commandHere(['support-bundle', '-o', link, '-c', join(path, 'none.yaml')]);
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.error).toContain('exists already; --force overwrites it');
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
  });

  it.each([
    ['a folder', '', ' exists already, and is not a file'],
    ['a pipe', 'pipe', ' exists already, and is not a file'],
    ['what is no folder', 'pipe/bundle.tar.gz', ': cannot be written (ENOTDIR)'],
  ])('does not take the place of %s, however forced', async (_, name, words) => {
    const path = folder();
    execFileSync('mkfifo', [join(path, 'pipe')]);
    const output = join(path, name);
    const said = await commandHere(['support-bundle', '-o', output, '--force', '-c', 'none.yaml']);
    expect([said.code, said.error]).toEqual([1, `platen: ${output}${words}`]);
    expect(existsSync(join(path, 'pipe'))).toBe(true);
  });

  it('tells of a configuration without end that it has mistakes', async () => {
    const path = folder();
    writeFileSync(join(path, 'platen.yaml'), 'cloud: &all { baseUrl: *all }');
    const file = join(path, 'bundle.tar.gz');
    const said = await commandHere(['support-bundle', '-o', file, '-c', join(path, 'platen.yaml'), '--json']);
    expect([said.code, said.out]).toEqual([0, expect.stringContaining('mistakes.txt')]);
  });

  it('is there without any configuration at all', async () => {
    const path = folder();
    const file = join(path, 'bundle.tar.gz');
    const said = await commandHere(['support-bundle', '-o', file, '-c', join(path, 'none.yaml'), '--json']);
    expect([said.code, existsSync(file)]).toEqual([0, true]);
    const { taken } = JSON.parse(said.out) as { taken: { name: string }[] };
    expect(taken.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['README.txt', 'mistakes.txt', 'versions.json', 'machine.json']),
    );
  });
});

describe("the service's audit log, where a user is named to read it", () => {
  const member = (archive: string, name: string): string =>
    execFileSync('tar', ['-xzOf', archive, '--wildcards', `*/${name}`], { encoding: 'utf8' });

  /** What an administrator did there before, and the bundle that somebody makes then. */
  async function bundled(user: string, password: string, ...more: readonly string[]) {
    await using stage = await setServiceStage();
    const { cloud, folder: path, configFile, passwordFile } = stage;
    const { device } = await enrol(cloud);
    const admin = await login(cloud, device, adminCard);
    const body = formOf({ cardid: '04EEEE' });
    await api(cloud, '/users/alice/cards', { method: 'POST', token: admin, body });
    writeFileSync(passwordFile, password);
    const file = join(path, 'bundle.tar.gz');
    const who = ['--user', user, '--password-file', passwordFile];
    const said = await stage.platen('support-bundle', '-o', file, '--json', ...who, ...more);
    const { leftOut } = JSON.parse(said.out) as { leftOut: { name: string; reason: string }[] };
    const left = leftOut.find(({ name }) => name === 'audit-log.jsonl');
    return { said, left, config: configFile, text: left ? '' : member(file, 'audit-log.jsonl') };
  }

  it('is in the bundle: what was done, and by whom as a pseudonym alone', async () => {
    const { said, left, text } = await bundled('admin', 'admin-secret');
    expect([said.code, left]).toEqual([0, undefined]);
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events).toEqual([
      expect.objectContaining({ category: 'login', type: 'LoggedIn', operation: 'POST', result: 'Success' }),
      expect.objectContaining({ category: 'users', user: expect.stringMatching(/^[0-9a-f]{12}$/) }),
      expect.objectContaining({ category: 'login' }),
    ]);
    expect(text).not.toMatch(/admin|alice|04EEEE|127\.0\.0\.1/);
  });

  it.each([
    ['alice', 'alice-secret', /status 403[^]*[^.]\. The service refused/],
    ['admin', 'guess', /The service refuses the name admin or its password \(status 401\)/],
  ])('is left out, with the reason, where %s with %s may not read it', async (user, given, why) => {
    const { said, left } = await bundled(user, given);
    expect([said.code, left?.reason]).toEqual([0, expect.stringMatching(why)]);
  });

  it('has people by the pseudonyms of the releases', () => {
    const pseudonym = pseudonyms();
    expect(pseudonym({ providerId: 3, userId: '101' })).toBe(pseudonym({ providerId: 3, userId: 101 }));
    expect(pseudonym({ providerId: 3, userId: 101 })).not.toBe(pseudonyms()({ providerId: 3, userId: 101 }));
  });

  it('is left out where the configuration has mistakes, and asked of nobody without a user', async () => {
    const path = folder();
    const [config, file, secret] = ['platen.yaml', 'bundle.tar.gz', 'password'].map((name) =>
      join(path, name),
    );
    writeFileSync(String(config), 'cloud: {}');
    writeFileSync(String(secret), 'admin-secret');
    const base = ['support-bundle', '-o', String(file), '-c', String(config), '--json'];
    const { out } = await commandHere([...base, '--user', 'admin', '--password-file', String(secret)]);
    expect(JSON.parse(out).leftOut).toContainEqual({
      name: 'audit-log.jsonl',
      reason: 'the configuration has mistakes',
    });
    const bare = await commandHere([...base, '--force']);
    expect(bare.out).not.toContain('audit-log');
    const misused = await commandHere([...base, '--force', '--password-file', String(secret)]);
    expect([misused.code, misused.error]).toEqual([
      64,
      expect.stringContaining('--password-file is the password of --user NAME. Give both or neither'),
    ]);
  });
});

describe('what is known to be a secret', () => {
  const scrub = createScrub({
    secrets: ['canary "4711/äö', 'short'],
    addresses: ['10.0.0.1', 'fe80::1', 'aa:bb:cc:00:11:22'],
  });
  it.each([
    ['as it is', 'canary "4711/äö'],
    ['in JSON', JSON.stringify('canary "4711/äö')],
    ['in an address', encodeURIComponent('canary "4711/äö')],
    ...(['base64', 'base64url', 'hex'] as const).map((form) => [
      `in ${form}`,
      Buffer.from('canary "4711/äö').toString(form),
    ]),
  ])('is taken out %s (T20)', (_, text) => {
    expect(scrub(`before ${text} after`)).toMatch(/^before "?\[secret\]"? after$/);
  });

  it('is not looked for where any text has it by chance', () => {
    expect(scrub('a short text')).toBe('a short text');
  });

  it('goes with the addresses of this machine, and no others', () => {
    expect(scrub('10.0.0.1:7381 FE80::1, AA:bb:cc:00:11:22.')).toBe(
      '[this machine]:7381 [this machine], [this machine].',
    );
    const others = '10.0.0.17 110.0.0.1 10.0.0.1.5 fe80::12 2001:fe80::1';
    expect(scrub(others)).toBe(others);
  });
});

it('a log file gives its newest records, and nothing that others wrote in it', () => {
  const file = join(folder(), 'platen.log');
  const record = JSON.stringify({ level: 'info', time: '2026-11-21T12:00:00.000Z', msg: 'agent started' });
  const lines = [
    'canary of another program',
    '{"canary": 1}',
    'x'.repeat(1024 * 1024),
    record,
    'platen: terminals[0].id: is missing',
    'platen.service: Scheduled restart job, restart counter is at 2.',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  expect(filesLog(file).split('\n')).toEqual([
    record,
    lines[4],
    lines[5],
    '(left out, because they are not records of Platen: 1 lines)',
    '',
  ]);
});

it('the journal gives what the agent and systemd said of the unit, and systemd how it sees it', async () => {
  const path = folder();
  const record = JSON.stringify({ level: 'warn', time: '2026-11-21T12:00:00.000Z', msg: 'reader down' });
  const play = (name: string, lines: readonly string[]) =>
    writeFileSync(join(path, name), `#!/bin/sh\ncat <<'end'\n${lines.join('\n')}\nend\n`, { mode: 0o755 });
  play('journalctl', [
    'Started platen.service - Platen.',
    record,
    'Error: canary',
    'platen.service: Killed.',
  ]);
  play('systemctl', ['ActiveState=active', 'NRestarts=2']);
  const run = runProgramOf(`${path}:${process.env['PATH']}`);
  expect(journalsLog(await askJournal(run)).split('\n')).toEqual([
    'Started platen.service - Platen.',
    record,
    'platen.service: Killed.',
    '(left out, because they are not records of Platen: 1 lines)',
    '',
  ]);
  expect(await unitText(run)).toBe('ActiveState=active\nNRestarts=2\n');
});

it('a program that is not there, or says nothing, has nothing to tell', async () => {
  const run = runProgramOf(process.env['PATH']);
  expect(await run('platen-no-such-program', [])).toBeUndefined();
  expect(await run('false', [])).toBeUndefined();
  expect(await run('env', [])).toMatch(/^LC_ALL=C\nPATH=.*\n$/);
});
