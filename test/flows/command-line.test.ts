import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { commandHere } from '../support/command-here.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describe('platen run', () => {
  it('starts, serves a badge, and ends in order on SIGTERM with exit 0', async () => {
    await using stage = await setStage({ terminal: { session: { autoRelease: true } } });
    await using platen = startProgram(['run', '-c', stage.configFile]);
    await platen.logged('agent started');
    await platen.logged('terminal ready');
    await platen.logged('reader up');
    stage.reader.tap(aliceCard);
    await platen.logged('release ended');
    platen.child.kill('SIGTERM');
    expect(await platen.exited).toEqual({ code: 0, signal: null });
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
    const { code, out, error } = await commandHere(['run', '-c', stage.configFile]);
    expect([code, out]).toEqual([78, '']);
    expect(error.split('\n')).toHaveLength(2);
    expect(error).toMatch(/^platen: \S+:\d+: colour: is not a key of this file$/m);
    expect(error).toMatch(/^platen: \S+:\d+: terminals\[0\]\.printer\.stallSeconds: must be at least 5$/m);
  });

  it('leaves a state directory that another instance owns alone, with exit 75 (D13)', async () => {
    await using stage = await setStage();
    await using first = await stage.start();
    await first.told('terminal ready');
    const { code, stderr } = await runProgram(['run', '-c', stage.configFile]);
    expect(code).toBe(75);
    expect(stderr).toMatch(/^platen: .*\n$/);
    expect((await fetch(`${first.operations}/healthz`)).status).toBe(200);
  });

  it('says which address is taken', async () => {
    await using stage = await setStage();
    const taken = new URL(stage.cloud.baseUrl).host;
    await using other = await setStage({ config: { operations: { listen: taken } } });
    const { code, error } = await commandHere(['run', '-c', other.configFile]);
    expect([code, error]).toEqual([69, expect.stringContaining(taken)]);
  });

  it('refuses to start in surroundings that open it to others (T22, T32)', async () => {
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const { code, stderr } = await runProgram(['run', '-c', '/nowhere'], { env });
    expect([code, stderr]).toEqual([78, expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED')]);
  });

  it('shows no stack trace without --debug', async () => {
    await using stage = await setStage({ config: { cloud: { caFile: 'none.pem' } } });
    const plain = await commandHere(['run', '-c', stage.configFile]);
    const debug = await commandHere(['--debug', 'run', '-c', stage.configFile]);
    expect(plain.error).not.toMatch(/\n\s+at /);
    expect(debug.error).toMatch(/\n\s+at /);
  });
});

describe('platen check and platen status', () => {
  it('shows the settings of one terminal among many', async () => {
    const others = Array.from({ length: 5 }, (_, index) => ({
      id: `t${index}`,
      serialNumber: `SN-9${index}`,
    }));
    await using stage = await setStage({ others });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    const status = (...more: string[]) => commandHere(['status', '-c', stage.configFile, ...more]);
    expect((await status()).out).not.toContain('settings of lobby');
    const { out } = await status('--terminal', 'lobby');
    expect(out).toMatch(/settings of lobby: as the service says since/);
    expect(out).toMatch(/^autoRelease +false +output port$/m);
    expect(out).not.toContain('SN-90');
  });

  it('tell what is wrong and what to do about it', async () => {
    await using stage = await setStage({
      terminal: {
        printer: { uri: 'ipp://127.0.0.1:9/ipp/print' },
        readers: [{ type: 'serial', path: '/dev/platen-no-such-reader' }],
      },
      config: { cloud: { apiKey: 'wrong' } },
    });
    const check = await commandHere(['check', '-c', stage.configFile, '--json']);
    const findings = JSON.parse(check.out) as { what: string; state: string; detail: string }[];
    expect(check.code).toBe(1);
    expect(findings.filter(({ state }) => state === 'failed').map(({ what }) => what)).toEqual([
      'cloud',
      'reader of lobby',
      'printer of lobby',
    ]);
    const status = await commandHere(['status', '-c', stage.configFile]);
    expect([status.code, status.error]).toEqual([3, expect.stringContaining('platen run -c')]);
  });

  it('call a terminal whose printer is away degraded', async () => {
    await using stage = await setStage();
    await stage.printer.behave({ kind: 'refuse-connections' });
    await using agent = await stage.start();
    await agent.told('condition raised');
    const status = await commandHere(['status', '-c', stage.configFile]);
    expect([status.code, status.out]).toEqual([1, expect.stringContaining('not ready')]);
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
    const list = await commandHere(['releases', 'list', '-c', stage.configFile, '--json']);
    const rows = JSON.parse(list.out) as { releaseId: string; outcome: string }[];
    expect(rows.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
    const id = rows[0]?.releaseId.slice(0, 8) ?? '';
    const shown = await commandHere(['releases', 'show', id, '-c', stage.configFile]);
    for (const state of ['PLANNED', 'FETCHED', 'INTENT', 'JOB', 'SENT', 'CONFIRMED']) {
      expect(shown.out).toContain(state);
    }
    const none = await commandHere(['releases', 'show', 'ffff', '-c', stage.configFile]);
    expect([none.code, none.error]).toEqual([1, expect.stringContaining('ffff')]);
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
    using folder = temporaryDirectory();
    const link = join(folder.path, 'reader');
    const output = join(folder.path, 'pages');
    await using cloud = startProgram(['simulate', 'cloud', '--port', '0']);
    await using printer = startProgram(['simulate', 'printer', '--port', '0', '--output', output]);
    await using reader = startProgram(['simulate', 'reader', '--link', link]);
    await cloud.printed('cloud:\n  baseUrl: http://127.0.0.1:');
    await cloud.printed('type approve');
    await printer.printed('printer:\n  uri: ipp://127.0.0.1:');
    await reader.printed(`path: ${link}`);
    for (const piece of [cloud, printer, reader]) piece.child.kill('SIGTERM');
    const ends = await Promise.all([cloud.exited, printer.exited, reader.exited]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it.each([
    [['--help'], 'platen'],
    [['--version'], '0.1.0'],
    [['run', '--help'], '--config'],
  ])('platen %j helps', async (args, text) => {
    expect(await commandHere(args)).toEqual({ code: 0, out: expect.stringContaining(text), error: '' });
  });

  it.each([[['fly']], [['run']], [['simulate', 'cloud', '--port', 'x']]])(
    'platen %j is a mistake of use',
    async (args) => {
      expect(await commandHere(args)).toMatchObject({ code: 64, error: expect.stringContaining('error: ') });
    },
  );
});
