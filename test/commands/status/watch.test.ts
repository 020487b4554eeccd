/** `platen status --watch`: on a screen of its own, as lines into a pipe, through an agent that goes and comes. */
import { createServer } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import type { Io } from '../../../src/commands/io.ts';
import type { Screen } from '../../../src/commands/terminal-text/screen.ts';
import { screenOf } from '../../../src/commands/terminal-text/screen.ts';
import { statusCommand } from '../../../src/commands/status/status.ts';
import { statusJson, statusLineOf } from '../../../src/commands/status/view.ts';
import { watchStatus } from '../../../src/commands/status/watch.ts';
import { milliseconds } from '../../../src/core/duration.ts';
import { sampleNow, sampleStatus } from '../sample-status.ts';

const interval = milliseconds(1);
const sight = { status: sampleStatus(), releases: [], now: sampleNow };
const reported = { line: statusLineOf, data: statusJson };
const away = 'no agent answers on /var/lib/platen';

/** Stops when so much was written. */
function until(count: number, more: Partial<Io> = {}) {
  const over = new AbortController();
  const said: string[] = [];
  const take = (text: string) => {
    said.push(text);
    if (said.length >= count) over.abort();
  };
  const io: Io = { out: take, error: take, env: {}, clock: systemClock, stop: over.signal, ...more };
  return { io, said, take };
}

it('goes on while no agent answers, and shows it when it is back', async () => {
  const { io, said } = until(4);
  const answers = [sight, undefined, undefined, sight];
  await watchStatus({ see: async () => answers.shift(), show: () => '', ...reported, away, interval, io });
  expect(said.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    'ready, 1 of 1 terminals ready, 0 conditions, 0 records to post',
    away,
    away,
    'ready, 1 of 1 terminals ready, 0 conditions, 0 records to post',
  ]);
});

it('is a line of JSON each time for a program', async () => {
  const { io, said } = until(2);
  await watchStatus({ see: async () => sight, show: () => '', ...reported, away, interval, json: true, io });
  expect(said.map((line) => JSON.parse(line) as object)).toMatchObject([{ ready: true }, { ready: true }]);
});

describe('on a screen', () => {
  it('draws over itself, cuts what does not fit, and gives the screen back', async () => {
    const { io, said, take } = until(4);
    const screen: Screen = { columns: 80, rows: 5, hasColor: true, write: take };
    const show = () => Array.from({ length: 9 }, (_, index) => `line ${index}`).join('\n');
    await watchStatus({ see: async () => sight, show, ...reported, away, interval, io: { ...io, screen } });
    expect(said[0]).toBe('\u001B[?1049h\u001B[?25l\u001B[?7l');
    expect(said[1]).toBe(
      '\u001B[Hline 0\u001B[K\nline 1\u001B[K\nline 2\u001B[K\n… 6 more lines\u001B[K\n\u001B[J',
    );
    expect(said.at(-1)).toBe('\u001B[?7h\u001B[?25h\u001B[?1049l');
  });

  it('gives it back also when something fails', async () => {
    const { io, said, take } = until(99);
    const screen: Screen = { columns: 80, rows: 5, hasColor: true, write: take };
    const see = () => Promise.reject(new Error('no'));
    await expect(
      watchStatus({ see, show: () => '', ...reported, away, interval, io: { ...io, screen } }),
    ).rejects.toThrow('no');
    expect(said.at(-1)).toBe('\u001B[?7h\u001B[?25h\u001B[?1049l');
  });
});

it.each([
  [{ isTTY: false }, {}, undefined],
  [{ isTTY: true }, { TERM: 'dumb' }, undefined],
  [{ isTTY: true }, { NO_COLOR: '1' }, { hasColor: false, columns: 80, rows: 24 }],
  [{ isTTY: true, columns: 120, rows: 50 }, { NO_COLOR: '' }, { hasColor: true, columns: 120, rows: 50 }],
])('%o with %o is the screen %o', (stream, env, wanted) => {
  const screen = screenOf({ columns: 0, rows: 0, ...stream } as NodeJS.WriteStream, env);
  const { hasColor, columns, rows } = screen ?? {};
  expect(screen && { hasColor, columns, rows }).toEqual(wanted);
});

describe('again and again', () => {
  const server = createServer((_request, response) => response.end(JSON.stringify(sampleStatus())));
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-watch-'));
    await mkdir(join(folder, 'state'));
    await new Promise<void>((resolve) => server.listen(join(folder, 'state', 'control.sock'), resolve));
    await writeFile(
      join(folder, 'platen.yaml'),
      '{ cloud: { baseUrl: "http://127.0.0.1:9", authUrl: "http://127.0.0.1:9", apiKey: k }, stateDir: state }',
    );
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('ends with exit 0 when it is interrupted, in the midst of a look too', async () => {
    const { io, said } = until(1);
    const code = await statusCommand({ config: join(folder, 'platen.yaml'), watch: 3600 }, io);
    expect([code, said.length]).toEqual([0, 1]);
  });
});
