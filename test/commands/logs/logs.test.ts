/** `platen logs` on a log that lies in a file; pipe and journal are in `test/flows/logs.test.ts`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isoInstant, systemClock } from '../../../src/core/clock.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { commandHere } from '../../support/command-here.ts';

const at = (minutesAgo: number) => isoInstant(systemClock.now() - minutesAgo * 60_000);
const record = (msg: string, facts: object = {}, minutesAgo = 5) =>
  JSON.stringify({ level: 'info', time: at(minutesAgo), ...facts, msg });

function folder(): string {
  const temporary = temporaryDirectory();
  onTestFinished(() => temporary[Symbol.dispose]());
  return temporary.path;
}

function reported(lines: readonly string[], ...args: readonly string[]) {
  const file = join(folder(), 'platen.log');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return commandHere(['logs', file, ...args]);
}

describe('platen logs', () => {
  it('tells each record in a line: when, which terminal, what', async () => {
    const { code, out } = await reported([
      record('agent started', { version: '0.1.0', kiosk: '127.0.0.1:7380' }),
      record('card read', { terminal: 'lobby', reader: 'desk' }),
      record('login failed', { level: 'warn', terminal: 'lobby', code: 'login-refused', way: 'card-pin' }),
    ]);
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Platen 0\.1\.0 started\. /);
    expect(lines[1]).toMatch(/:\d\d {2}lobby {2}A card was read at desk\.$/);
    expect(lines[2]).toMatch(
      / {2}lobby {2}Warning: Sign-in with a card and a PIN refused: card unknown, PIN wrong, or user locked\.$/,
    );
  });

  it('tells the time of the machine', async () => {
    const wall = new Date('2026-11-22T10:15:03.999Z');
    const { out } = await reported([
      JSON.stringify({ level: 'info', time: wall.toISOString(), msg: 'agent stopped' }),
    ]);
    const two = (part: number) => String(part).padStart(2, '0');
    const local = `2026-11-${two(wall.getDate())} ${two(wall.getHours())}:${two(wall.getMinutes())}:03`;
    expect(out).toBe(`${local}  Platen stopped.`);
  });

  it('leaves routine and debug out, unless all is asked for', async () => {
    const lines = [
      record('status reported'),
      record('device token refreshed'),
      record('garbage read', { level: 'debug', reader: 'desk' }),
      record('agent stopped'),
    ];
    expect((await reported(lines)).out.split('\n')).toHaveLength(1);
    expect((await reported(lines, '--all')).out.split('\n')).toHaveLength(4);
  });

  it('tells one terminal alone, its conditions too', async () => {
    const { code, out } = await reported(
      [
        record('card read', { terminal: 'lobby', reader: 'desk' }),
        record('card read', { terminal: 'annex', reader: 'other' }),
        record('condition raised', {
          level: 'warn',
          scope: 'lobby',
          code: 'media-empty',
          detail: 'no paper',
        }),
        record('condition raised', {
          level: 'warn',
          scope: 'agent',
          code: 'cloud-unreachable',
          detail: 'away',
        }),
      ],
      ...['--terminal', 'lobby'],
    );
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.slice(28))).toEqual([
      'A card was read at desk.',
      'Warning: Attention (media-empty): No paper.',
    ]);
  });

  it('says that there is no such terminal, and exits 1; one of the configuration may have been silent', async () => {
    const lines = [record('card read', { terminal: 'lobby', reader: 'desk' })];
    const unknown = await reported(lines, '--terminal', 'loby');
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.error).toMatch(/^platen: There is no terminal loby\./);
    const config = join(folder(), 'platen.yaml');
    const url = 'http://127.0.0.1:9';
    const terminal = { id: 'annex', serialNumber: 'SN', printer: { uri: 'socket://10.0.0.7' } };
    writeFileSync(
      config,
      JSON.stringify({ cloud: { baseUrl: url, authUrl: url, apiKey: 'key' }, terminals: [terminal] }),
    );
    expect(await reported(lines, '--terminal', 'annex', '-c', config)).toEqual({
      code: 0,
      out: '',
      error: '',
    });
  });

  it('tells what came since then', async () => {
    const lines = [record('card removed', {}, 120), record('card read', {}, 10)];
    const { out } = await reported(lines, '--since', '1h');
    expect(out).toMatch(/A card was read\.$/);
    expect(out.split('\n')).toHaveLength(1);
    expect((await reported(lines, '--since', at(180))).out.split('\n')).toHaveLength(2);
  });

  it('reads the journal as journalctl -o json gives it out, and tells what systemd says there', async () => {
    const entry = (message: unknown) =>
      JSON.stringify({ MESSAGE: message, __REALTIME_TIMESTAMP: `${systemClock.now()}000` });
    const { out } = await reported([
      entry(record('agent stopped')),
      entry('platen.service: Main process exited, code=killed'),
      entry([...Buffer.from(record('card read'))]),
      entry(null),
    ]);
    expect(out.split('\n').map((line) => line.slice(21))).toEqual([
      'Platen stopped.',
      'platen.service: Main process exited, code=killed',
      'A card was read.',
      expect.stringContaining('"MESSAGE":null'),
    ]);
  });

  it('tells a message that it has no sentence for as it stands', async () => {
    const { out } = await reported([record('frobnicator gone', { detail: 'it left', userName: 'alice' })]);
    expect(out.slice(21)).toBe('Frobnicator gone. It left.');
  });

  it('makes harmless what others wrote, records and lines that are none (T21)', async () => {
    const evil = '\u001b]0;owned\u0007\u202e\u009b2J';
    const { out } = await reported([
      record('condition raised', { code: evil, scope: evil, detail: evil, level: evil }),
      record(evil),
      `not JSON ${evil}`,
      JSON.stringify({ level: 'info', time: evil, msg: 'card read', reader: evil }),
      '[1,2]',
      '"text"',
      'null',
      JSON.stringify({ msg: 1, level: 'info' }),
      JSON.stringify({ level: 'info', msg: 'agent stopped', time: '+275760-09-13T00:00:00.000Z' }),
      JSON.stringify({ level: 'info', msg: 'agent stopped', time: 12 }),
    ]);
    expect(out.split('\n')).toHaveLength(10);
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('forges no line: a break within a text is none on the screen', async () => {
    const { out } = await reported([
      record('reader down', { reader: 'a\n2026-11-22 10:15:03  lobby  all is well' }),
    ]);
    expect(out.split('\n')).toHaveLength(1);
  });

  it('cuts a line that has no end, and goes on behind it', async () => {
    const { code, out } = await reported([`x${'y'.repeat(3_000_000)}`, record('agent stopped')]);
    expect(code).toBe(0);
    const [long = '', next] = out.split('\n');
    expect(long.length).toBeLessThan(600);
    expect(next).toContain('Platen stopped.');
  });

  it('says why a file cannot be read, exit 1, and does not follow one, exit 64', async () => {
    const missing = await commandHere(['logs', join(folder(), 'none.log')]);
    expect(missing).toMatchObject({ code: 1, out: '' });
    expect(missing.error).toMatch(/none\.log: cannot be read \(ENOENT\)/);
    const followed = await reported([], '--follow');
    expect(followed).toMatchObject({ code: 64, out: '' });
    expect(followed.error).toContain('tail -F');
  });

  it.each([['--since', 'yesterday'], ['--colour']])('does not take %s %s', async (...args) => {
    expect(await reported([], ...args)).toMatchObject({ code: 64 });
  });
});
