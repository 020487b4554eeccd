/**
 * An administrator whom support asks for more: the agent tells more for a while, and everything goes into one archive
 * that names nobody and holds no secret (I5, T20, G12).
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import { plainTerminal } from '../../src/simulator/cloud/calls/ports/terminals.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import { commandHere } from '../support/command-here.ts';
import { freePort } from '../support/ports.ts';
import { canariesIn } from '../support/agent/canaries.ts';
import type { Canaries } from '../support/agent/canaries.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import type { Program } from '../support/program.ts';
import { startProgram } from '../support/program.ts';
import { watchScreen } from '../support/agent/screen.ts';
import type { Stage } from '../support/agent/stage.ts';
import { setStage } from '../support/agent/stage.ts';

const persons: Canaries = {
  'user name': 'canary-archer',
  'full name': 'Canary Archer',
  'e-mail': 'archer@canary.example',
  'short id': '90217744',
  password: 'canary-password',
  'wrong password': 'canary-typed-wrong',
  'card number': '04C0FFEE77',
  title: 'Canary of the quarter.pdf',
};
const ofConfig: Canaries = {
  'API key': 'canary-api-key-7c41',
  'sealing key': '5ea1'.repeat(16),
  'printer account': 'canary-account',
  'printer password': 'canary printer/password',
};
/** Stands on every page of the sample documents, which are not compressed. */
const documentMarker = 'If you hold this page, Platen works.';

async function stageWithCanaries(): Promise<Stage> {
  const [alice] = sampleData.users;
  if (!alice) throw new Error('nobody to play');
  const archer = {
    ...alice,
    userName: String(persons['user name']),
    fullName: String(persons['full name']),
    email: String(persons['e-mail']),
    shortId: String(persons['short id']),
    password: String(persons['password']),
    cards: [String(persons['card number'])],
  };
  const titles = [1, 2].map((pages) => ({ owner: archer.userName, name: String(persons['title']), pages }));
  const stage = await setStage({
    cloud: {
      apiKey: String(ofConfig['API key']),
      seed: { ...sampleData, users: [archer], documents: titles },
    },
    terminal: { login: { shortId: true }, session: { autoRelease: true } },
    others: [{ id: 'attic', serialNumber: 'SN-0002' }],
    config: { operations: { listen: `127.0.0.1:${await freePort()}` } },
  });
  const config = parse(readFileSync(stage.configFile, 'utf8'));
  config.device.sealingKey = ofConfig['sealing key'];
  const [username, password] = [ofConfig['printer account'], ofConfig['printer password']];
  config.terminals[0].printer.credentials = { username, password };
  writeFileSync(stage.configFile, stringify(config));
  const way = { ...plainTerminal['authentication-way'], developerLogEnabled: true };
  const lobby = { ...plainTerminal, 'authentication-way': way };
  stage.cloud.state.terminalConfigs = [{ id: 1, name: 'Lobby', devices: [7], config: lobby }];
  return stage;
}

/** Everything that nobody but the agent and the service may know, after a run. */
function canariesOf({ cloud, folder }: Stage): Canaries {
  const { accessTokens, refreshTokens } = cloud.state;
  const tokens = [...accessTokens, ...refreshTokens].map(({ value, kind }, at) => [
    `${kind} token ${at}`,
    value,
  ]);
  const codes = cloud.calls.flatMap(({ body }) => new URLSearchParams(body).getAll('device_code'));
  return {
    ...persons,
    ...ofConfig,
    ...Object.fromEntries(tokens),
    ...Object.fromEntries(codes.map((code, at) => [`device code ${at}`, code])),
    'launch secret': readFileSync(join(folder, 'state', 'kiosk-launch'), 'utf8').trim(),
    document: documentMarker,
  };
}

const recordsOf = ({ stdout }: Program): readonly LogRecord[] =>
  stdout()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogRecord);

/** Somebody types a wrong password, then a short id, and the page comes out, though its record is refused for good. */
async function signInAtThePage(stage: Stage, program: Program): Promise<void> {
  const kiosk = `http://${String((await program.logged('agent started'))['kiosk'])}`;
  const page = await launchPage(stage, { kiosk });
  await using screen = await watchScreen({ kiosk }, page);
  const say = async (typed: object): Promise<void> => {
    await expect.poll(() => screen.views.at(-1)?.offers).toContain('password');
    const { generation = 0 } = screen.views.at(-1) ?? {};
    expect(
      await page.say({ command: 'log-in', generation, ...typed } as Parameters<typeof page.say>[0]),
    ).toBe(204);
  };
  await say({ way: 'password', userName: persons['user name'], password: persons['wrong password'] });
  await program.logged('login failed');
  stage.cloud.answerNext({ method: 'POST', path: '/documents/history' }, standardFaults['status 400']);
  await say({ way: 'short-id', shortId: persons['short id'] });
  await program.logged('history rejected');
}

function textOf(archive: string): string {
  expect(statSync(archive).mode & 0o777).toBe(0o600);
  return gunzipSync(readFileSync(archive)).toString('latin1');
}
const memberOf = (archive: string, name: string): string =>
  execFileSync('tar', ['-xzOf', archive, '--wildcards', `*/${name}`], { encoding: 'utf8' });

it('tells more for a while, and packs what there is into an archive without a secret or a name (I5, T20, G12)', async () => {
  await using stage = await stageWithCanaries();
  const { configFile, folder, reader } = stage;
  const archive = join(folder, 'bundle.tar.gz');
  const command = (...args: readonly string[]) => commandHere([...args, '-c', configFile]);
  await using program = startProgram(['run', '-c', configFile], { cwd: folder });
  await program.logged('terminal ready');

  // The service has the developer log of the lobby on, and its records alone are told from debug up.
  await program.logged('developer log on');
  expect((await command('status', '--terminal', 'lobby')).out).toMatch(/developerLog +true +terminal config/);
  await signInAtThePage(stage, program);
  await program.logged('stage took');
  const atDebug = recordsOf(program).filter(({ level }) => level === 'debug');
  expect(new Set(atDebug.map(({ terminal }) => terminal))).toEqual(new Set(['lobby']));

  // By signal all records are, until it comes again.
  process.kill(Number(program.child.pid), 'SIGUSR2');
  await program.logged('log level lowered');
  reader.tap(String(persons['card number']));
  await program.logged('card read');
  await program.logged('cloud call');
  process.kill(Number(program.child.pid), 'SIGUSR2');
  await program.logged('log level as configured');
  // Who may not be the second agent has not taken the control socket from the first.
  expect((await command('run')).code).toBe(75);
  expect(await command('log-level', 'debug', '--minutes', '5')).toMatchObject({ code: 0, error: '' });
  expect(await command('log-level', 'configured')).toMatchObject({ code: 0, error: '' });
  const changes = () => recordsOf(program).filter(({ msg }) => msg.startsWith('log level'));
  await expect.poll(changes).toHaveLength(4);
  expect(changes()[2]).toMatchObject({ from: 'info', to: 'debug', minutes: 5 });

  // One archive of it all.
  const made = await command('support-bundle', '-o', archive);
  expect(made).toMatchObject({ code: 0, error: '' });
  expect(made.out).toContain('releases.jsonl');
  const canaries = canariesOf(stage);
  expect(Object.keys(canaries).length).toBeGreaterThan(16);
  expect(canariesIn(textOf(archive), canaries)).toEqual([]);
  expect(canariesIn(program.stdout(), canaries)).toEqual([]);
  expect(memberOf(archive, 'README.txt')).toContain('log-agent.jsonl');
  expect(memberOf(archive, 'config.yaml')).toContain('apiKey: "[secret]"');
  expect(memberOf(archive, 'log-agent.jsonl')).toContain('"cloud call"');
  expect(JSON.parse(memberOf(archive, 'status.json'))).toMatchObject({
    terminals: [{ id: 'lobby' }, { id: 'attic' }],
  });
  expect(memberOf(archive, 'starts.txt')).toMatch(/^\d{4}-.*Z\n$/);
  expect(memberOf(archive, 'metrics.txt')).toContain('platen_releases_total');
  expect(JSON.parse(memberOf(archive, 'outbox.json'))).toMatchObject({
    deadLetters: [{ terminal: 'lobby' }],
  });
  const releases = memberOf(archive, 'releases.jsonl').trim().split('\n');
  const users = releases.map((line) => /"user":"([0-9a-f]{12})"/.exec(line)?.[1]);
  expect(users).toEqual([users[0], users[0]]);

  // Of a configuration with mistakes there are the keys, and of the agent that runs with the one before the rest.
  const right = readFileSync(configFile);
  appendFileSync(configFile, `kiosk: { apiKey: ${ofConfig['API key']} }\ncanaryKey canary-password\n`);
  expect(await command('support-bundle', '-o', archive, '--force')).toMatchObject({
    code: 0,
    error: expect.stringMatching(
      /^platen: \S+: Line 34: this key stands here twice\. Write it only once\. And 1 more: platen check$/,
    ),
  });
  expect(canariesIn(textOf(archive), canaries)).toEqual([]);
  expect(memberOf(archive, 'config.yaml')).toMatch(/^ {2}apiKey: .*a string/m);
  expect(memberOf(archive, 'mistakes.txt')).toContain('platen.yaml:');
  expect(memberOf(archive, 'status.json')).toContain('"lobby"');
  expect(memberOf(archive, 'releases.jsonl').trim().split('\n')).toHaveLength(releases.length);
  writeFileSync(configFile, right);

  // Nothing is overwritten unasked, and without an agent the rest is there all the same.
  expect((await command('support-bundle', '-o', archive)).error).toContain('--force');
  program.child.kill('SIGTERM');
  await program.exited;
  const later = await command('support-bundle', '-o', archive, '--force', '--json');
  const { leftOut } = JSON.parse(later.out) as { leftOut: { name: string }[] };
  expect(leftOut.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['status.json', 'metrics.txt', 'log-agent.jsonl']),
  );
  expect(canariesIn(textOf(archive), canaries)).toEqual([]);
  const again = memberOf(archive, 'releases.jsonl').trim().split('\n');
  expect([again.length, again[0]?.includes(String(users[0]))]).toEqual([releases.length, false]);
});
