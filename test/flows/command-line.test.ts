import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { runProgram, startProgram } from '../support/program.ts';

describe('platen run', () => {
  it('starts, serves a badge, and ends in order on SIGTERM within 5 s with exit 0', async () => {
    await using stage = await setStage({ terminal: { session: { autoRelease: true } } });
    await using platen = startProgram(['run', '-c', stage.configFile]);
    await platen.logged('agent started');
    await platen.logged('terminal ready');
    await platen.logged('reader up');
    stage.reader.tap(aliceCard);
    await platen.logged('release ended');
    const asked = performance.now();
    platen.child.kill('SIGTERM');
    expect(await platen.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - asked).toBeLessThan(5000);
    const messages = platen
      .stdout()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages[0]).toBe('agent started');
    expect(messages.at(-1)).toBe('agent stopped');
    expect(platen.stderr()).toBe('');
  });

  it('ends in order also when it is stopped before the service has answered anything', async () => {
    await using stage = await setStage();
    stage.cloud.always({ path: /./ }, { kind: 'never' });
    await using platen = startProgram(['run', '-c', stage.configFile]);
    await platen.logged('agent started');
    platen.child.kill('SIGINT');
    expect(await platen.exited).toEqual({ code: 0, signal: null });
  });

  it('refuses a configuration with mistakes, all of them named, with exit 78', async () => {
    await using stage = await setStage();
    const wrong = `${await readFile(stage.configFile, 'utf8')}\ncolour: red\n`.replace(
      'stallSeconds: 5',
      'stallSeconds: 1',
    );
    await writeFile(stage.configFile, wrong);
    const { code, stdout, stderr } = await runProgram(['run', '-c', stage.configFile]);
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr.trim().split('\n')).toHaveLength(2);
    expect(stderr).toMatch(/^platen: \S+:\d+: colour: is not a key of this file$/m);
    expect(stderr).toMatch(/^platen: \S+:\d+: terminals\[0\]\.printer\.stallSeconds: must be at least 5$/m);
  });

  it('leaves a state directory that another instance owns alone, with exit 75 (D13)', async () => {
    await using stage = await setStage();
    await using first = startProgram(['run', '-c', stage.configFile]);
    await first.logged('terminal ready');
    const { code, stderr } = await runProgram(['run', '-c', stage.configFile]);
    expect(code).toBe(75);
    expect(stderr).toMatch(/^platen: .*\n$/);
    expect(first.child.exitCode).toBeNull();
  });

  it('says which address is taken', async () => {
    await using stage = await setStage();
    const taken = new URL(stage.cloud.baseUrl).host;
    await using other = await setStage({ config: { operations: { listen: taken } } });
    const { code, stderr } = await runProgram(['run', '-c', other.configFile]);
    expect([code, stderr]).toEqual([69, expect.stringContaining(taken)]);
  });

  it.each([
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT_UNAUTHORIZED'],
    [{ NODE_OPTIONS: '--inspect-port=0' }, 'NODE_OPTIONS'],
  ])('refuses to start with %o (T22, T32)', async (env, named) => {
    await using stage = await setStage();
    const { code, stderr } = await runProgram(['run', '-c', stage.configFile], { env });
    expect([code, stderr]).toEqual([78, expect.stringContaining(named)]);
  });

  it('shows no stack trace without --debug', async () => {
    await using stage = await setStage({ config: { cloud: { caFile: 'none.pem' } } });
    const plain = await runProgram(['run', '-c', stage.configFile]);
    const debug = await runProgram(['--debug', 'run', '-c', stage.configFile]);
    expect(plain.stderr).not.toMatch(/\n\s+at /);
    expect(debug.stderr).toMatch(/\n\s+at /);
  });
});

describe('platen check and platen status', () => {
  it('shows the settings of one terminal among many, and knows which there are', async () => {
    const others = Array.from({ length: 5 }, (_, index) => ({
      id: `t${index}`,
      serialNumber: `SN-9${index}`,
    }));
    await using stage = await setStage({ others, config: { operations: { listen: '127.0.0.1:17382' } } });
    await using platen = startProgram(['run', '-c', stage.configFile]);
    await platen.logged('terminal ready');
    const status = (...more: string[]) => runProgram(['status', '-c', stage.configFile, ...more]);
    expect((await status()).stdout).not.toContain('settings of lobby');
    const { stdout } = await status('--terminal', 'lobby');
    expect(stdout).toMatch(/settings of lobby: as the service says since/);
    expect(stdout).toMatch(/^autoRelease +false +output port$/m);
    expect(stdout).not.toContain('SN-90');
    const unknown = await status('--terminal', 'attic');
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('There is no terminal attic'),
    ]);
  });

  it('tell a healthy terminal with exit 0, as words and as JSON', async () => {
    await using stage = await setStage({ config: { operations: { listen: '127.0.0.1:17381' } } });
    await using platen = startProgram(['run', '-c', stage.configFile]);
    await platen.logged('status reported');
    const check = await runProgram(['check', '-c', stage.configFile]);
    expect([check.code, check.stdout.match(/FAIL/)]).toEqual([0, null]);
    for (const line of ['config', 'cloud', 'device token', 'reader of lobby', 'printer of lobby']) {
      expect(check.stdout).toContain(line);
    }
    const status = await runProgram(['status', '-c', stage.configFile, '--json']);
    expect([status.code, JSON.parse(status.stdout)]).toMatchObject([
      0,
      { ready: true, terminals: [{ id: 'lobby', outputPortId: 7 }] },
    ]);
  });

  it('tell what is wrong and what to do about it', async () => {
    await using stage = await setStage({
      terminal: {
        printer: { uri: 'ipp://127.0.0.1:9/ipp/print' },
        readers: [{ type: 'serial', path: '/dev/platen-no-such-reader' }],
      },
      config: { cloud: { apiKey: 'wrong' } },
    });
    const check = await runProgram(['check', '-c', stage.configFile, '--json']);
    const findings = JSON.parse(check.stdout) as { what: string; state: string; detail: string }[];
    expect(check.code).toBe(1);
    expect(findings.filter(({ state }) => state === 'failed').map(({ what }) => what)).toEqual([
      'cloud',
      'reader of lobby',
      'printer of lobby',
    ]);
    const status = await runProgram(['status', '-c', stage.configFile]);
    expect([status.code, status.stderr]).toEqual([3, expect.stringContaining('platen run -c')]);
  });

  it('call a terminal whose printer is away degraded', async () => {
    await using stage = await setStage({ config: { operations: { listen: '127.0.0.1:17382' } } });
    await stage.printer.behave({ kind: 'refuse-connections' });
    await using platen = startProgram(['run', '-c', stage.configFile]);
    await platen.logged('condition raised');
    const status = await runProgram(['status', '-c', stage.configFile]);
    expect([status.code, status.stdout]).toEqual([1, expect.stringContaining('not ready')]);
  });
});

describe('platen releases', () => {
  it('lists the ledger and shows one release, without a daemon', async () => {
    await using stage = await setStage({ terminal: { session: { autoRelease: true } } });
    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    stage.reader.tap(aliceCard);
    await agent.told('session closed');
    await agent.stop();
    const list = await runProgram(['releases', 'list', '-c', stage.configFile, '--json']);
    const rows = JSON.parse(list.stdout) as { releaseId: string; outcome: string }[];
    expect(rows.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
    const id = rows[0]?.releaseId.slice(0, 8) ?? '';
    const shown = await runProgram(['releases', 'show', id, '-c', stage.configFile]);
    for (const state of ['PLANNED', 'FETCHED', 'INTENT', 'JOB', 'SENT', 'CONFIRMED']) {
      expect(shown.stdout).toContain(state);
    }
    const none = await runProgram(['releases', 'show', 'ffff', '-c', stage.configFile]);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('ffff')]);
  });
});

describe('the embedded pieces', () => {
  it('platen demo --once walks one release aloud, and the page lies where it says', async () => {
    const { code, stdout, stderr } = await runProgram(['demo', '--once']);
    expect([code, stderr]).toEqual([0, '']);
    const folder = /Look at the pages: (.+)$/m.exec(stdout)?.[1] ?? '';
    const pages = await readdir(folder);
    expect(pages).toHaveLength(2);
    for (const page of pages)
      expect((await readFile(join(folder, page))).subarray(0, 5).toString()).toBe('%PDF-');
    expect(
      stdout
        .split('\n')
        .filter(Boolean)
        .every((line) => /^ *\d+\.\d{3} s {2}\S/.test(line)),
    ).toBe(true);
  });

  it('platen demo takes badges typed on the keyboard until it is stopped', async () => {
    await using demo = startProgram(['demo', '--listen', '127.0.0.1:0']);
    await demo.printed('Type a card number');
    demo.child.stdin?.write(`${aliceCard}\n`);
    await demo.printed('A person signed in.');
    demo.child.kill('SIGINT');
    expect((await demo.exited).code).toBe(0);
  });

  it('platen simulate cloud, printer and reader say what to write into a configuration', async () => {
    await using cloud = startProgram(['simulate', 'cloud', '--port', '0']);
    await using printer = startProgram([
      'simulate',
      'printer',
      '--port',
      '0',
      '--output',
      '/tmp/platen-simulated',
    ]);
    await using reader = startProgram(['simulate', 'reader', '--link', '/tmp/platen-simulated-reader']);
    await cloud.printed('cloud:\n  baseUrl: http://127.0.0.1:');
    await cloud.printed('type approve');
    await printer.printed('printer:\n  uri: ipp://127.0.0.1:');
    await reader.printed('path: /tmp/platen-simulated-reader');
    for (const piece of [cloud, printer, reader]) piece.child.kill('SIGTERM');
    const ends = await Promise.all([cloud.exited, printer.exited, reader.exited]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it.each([
    [['--help'], 0, 'platen'],
    [['--version'], 0, '0.1.0'],
    [['run', '--help'], 0, '--config'],
  ])('platen %j helps', async (args, wanted, text) => {
    const { code, stdout } = await runProgram(args);
    expect([code, stdout]).toEqual([wanted, expect.stringContaining(text)]);
  });

  it.each([[['status']], [['releases', 'list']]])(
    'platen %j is about the installed configuration',
    async (args) => {
      const { code, stderr } = await runProgram(args);
      expect([code, stderr]).toEqual([78, expect.stringContaining('/etc/platen/platen.yaml')]);
    },
  );

  it.each([[['fly']], [['run']], [['simulate', 'cloud', '--port', 'x']]])(
    'platen %j is a mistake of use',
    async (args) => {
      const { code, stderr } = await runProgram(args);
      expect([code, stderr]).toEqual([64, expect.stringContaining('error: ')]);
    },
  );
});
