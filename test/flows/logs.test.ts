/** `platen logs` as people call it: behind a pipe, and before a journal. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isoInstant, systemClock } from '../../src/core/clock.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { startProgram } from '../support/program.ts';

/** As journalctl(1) gives it out with `-o json`. */
const entry = (record: object) =>
  JSON.stringify({ MESSAGE: JSON.stringify(record), __REALTIME_TIMESTAMP: `${systemClock.now()}000` });
const cardRead = entry({
  level: 'info',
  time: isoInstant(systemClock.now()),
  terminal: 'lobby',
  reader: 'desk',
  msg: 'card read',
});

/** A journalctl that writes down what it was asked, and does this. */
function journal(does: string) {
  const temporary = temporaryDirectory();
  onTestFinished(() => temporary[Symbol.dispose]());
  const bin = join(temporary.path, 'bin');
  mkdirSync(bin);
  const asked = join(temporary.path, 'asked');
  writeFileSync(join(bin, 'journalctl'), `#!/bin/sh\necho "$@" >'${asked}'\n${does}\n`);
  chmodSync(join(bin, 'journalctl'), 0o755);
  return {
    env: { PATH: `${bin}:${process.env['PATH']}` },
    asked: () => (existsSync(asked) ? readFileSync(asked, 'utf8').trim() : ''),
  };
}

const logs = (args: readonly string[], env: Record<string, string>) =>
  startProgram(['logs', ...args], { env, input: 'none' });

describe('platen logs', () => {
  it('tells a whole release of a running agent through a pipe, and names nobody', async () => {
    await using stage = await setStage({ terminal: { session: { autoRelease: true } } });
    await using agent = startProgram(['run', '-c', stage.configFile]);
    await using piped = startProgram(['logs']);
    if (!piped.child.stdin) throw new Error('it has no standard input');
    agent.child.stdout?.pipe(piped.child.stdin);
    await piped.printed('The terminal is ready: hold a card to the reader.');
    stage.reader.tap(aliceCard);
    await piped.printed('the print service has the history record.');
    agent.child.kill('SIGTERM');
    expect(await piped.exited).toEqual({ code: 0, signal: null });
    const out = piped.stdout();
    expect(out).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Platen \S+ started\. Its pages are at http:/);
    expect(out).toMatch(
      / {2}lobby {2}A person signed in\.\n[^]*Release [0-9a-f]{8}: the document was printed\./,
    );
    expect(out.trimEnd()).toMatch(/Platen stopped\.$/);
    const [alice] = stage.cloud.state.users;
    for (const secret of [alice?.userName, alice?.fullName, aliceCard, stage.cloud.apiKey]) {
      expect(out).not.toContain(secret);
    }
  });

  it('asks the journal of the unit where nothing is piped in, of the last day', async () => {
    const { env, asked } = journal(`echo '${cardRead}'`);
    await using program = logs([], env);
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.stdout()).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}lobby {2}A card was read at desk\.\n$/,
    );
    expect(asked()).toMatch(/^--unit=platen\.service --output=json .*--since=@\d{10}$/);
    expect(program.stderr()).toBe('');
  });

  it('follows the journal from its last lines on until it is interrupted, exit 0', async () => {
    const { env, asked } = journal(`echo '${cardRead}'\nexec tail -f /dev/null`);
    await using program = logs(['--follow'], env);
    await program.printed('A card was read at desk.');
    expect(asked()).toMatch(/--follow --lines=10$/);
    program.child.kill('SIGINT');
    expect(await program.exited).toEqual({ code: 0, signal: null });
  });

  it('says that there is no journal, or none for this user', async () => {
    await using none = logs([], journal('exit 1').env);
    expect(await none.exited).toMatchObject({ code: 1 });
    expect(none.stderr()).toMatch(
      /^platen: the journal cannot be read \(journalctl failed\)\. Give the log: /,
    );
    await using empty = logs([], journal('exit 0').env);
    expect(await empty.exited).toMatchObject({ code: 0 });
    expect(empty.stderr()).toMatch(/^platen: the journal has nothing about platen\.service since .* sudo/);
  });

  it('ends in order when whoever reads its output goes away', async () => {
    const { env } = journal(`while echo '${cardRead}'; do :; done`);
    await using program = logs([], env);
    await program.printed('A card was read');
    program.child.stdout?.destroy();
    expect(await program.exited).toMatchObject({ code: 0 });
  });
});
