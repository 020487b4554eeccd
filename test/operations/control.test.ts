import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { askControl, callControl } from '../../src/commands/control-call.ts';
import { minutes } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { ControlActions } from '../../src/operations/control.ts';
import { startControl } from '../../src/operations/control.ts';
import { needsRoot } from '../support/needs.ts';
import { recordLog } from '../support/recorded-log.ts';
import { noGuests, samplePages } from '../support/operations/sample-pages.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { patience } from '../support/patience.ts';

const io = { clock: systemClock, stop: new AbortController().signal };

function directory(): string {
  const temporary = temporaryDirectory();
  onTestFinished(() => temporary[Symbol.dispose]());
  return temporary.path;
}

async function start(stateDir: string, actions: Partial<ControlActions> = {}) {
  const recorded = recordLog();
  const control = await startControl({
    stateDir,
    log: recorded.log,
    pages: samplePages(),
    guests: noGuests,
    actions: {
      retryOutbox: () => 0,
      settle: async (releaseIds) => ({ settled: releaseIds, left: [] }),
      reload: async () => ({}),
      recentLog: () => [],
      logLevel: () => {},
      administered: () => {},
      ...actions,
    },
  });
  onTestFinished(() => control[Symbol.asyncDispose]());
  const call = (method: 'GET' | 'POST', path: string, body?: object) =>
    callControl({ stateDir }, io, { method, path, ...(body ? { body } : {}) });
  return { control, recorded, call };
}

describe('the control socket', () => {
  it('hands what a command asks to the agent, and its answer back', async () => {
    const asked: unknown[] = [];
    const { call } = await start(directory(), {
      retryOutbox: (releaseId) => asked.push(['retry', releaseId]),
      recentLog: () => ['{"msg":"agent started"}\n'],
      logLevel: (level, span) => asked.push([level, span]),
    });
    expect(await call('POST', '/outbox/retry')).toEqual({ retried: 1 });
    expect(await call('POST', '/outbox/retry', { releaseId: '7f3a9c21' })).toEqual({ retried: 2 });
    expect(await call('GET', '/log')).toEqual({ lines: ['{"msg":"agent started"}\n'] });
    expect(await call('POST', '/log-level', { level: 'debug', minutes: 5 })).toEqual({});
    expect(asked).toEqual([
      ['retry', undefined],
      ['retry', '7f3a9c21'],
      ['debug', minutes(5)],
    ]);
  });

  it('has the pages of the operations listener too, where nobody else can stand in the way (T28)', async () => {
    const stateDir = directory();
    await start(stateDir);
    const page = (path: string) => askControl({ stateDir }, io, { method: 'GET', path });
    expect(await page('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' });
    expect(await page('/readyz')).toMatchObject({ status: 200 });
    expect(await page('/metrics')).toEqual({ status: 200, text: 'platen_cloud_up 1\n' });
    expect(await page('/status')).toEqual({ status: 200, text: '{"version":"0.1.0"}' });
  });

  it("tells what the agent has against it, in the problem's words", async () => {
    const { call } = await start(directory(), {
      retryOutbox: () => {
        throw new Problem('document-gone', 'no such release');
      },
    });
    await expect(call('POST', '/outbox/retry', { releaseId: 'x' })).rejects.toThrow(/^no such release\. /);
  });

  it('answers a defect of its own without a word of it, and logs it', async () => {
    const { call, recorded } = await start(directory(), {
      recentLog: () => {
        throw new Error('canary-4711');
      },
    });
    await expect(call('GET', '/log')).rejects.toThrow('Its log says why');
    expect(recorded.records('control request failed')).toHaveLength(1);
  });

  it.each([
    ['a level nobody knows', '/log-level', { level: 'loud', minutes: 5 }],
    ['a window of more than 15 minutes (T20)', '/log-level', { level: 'debug', minutes: 16 }],
    ['a key nobody knows', '/outbox/retry', { release: 'x' }],
    ['a body of more than 4 KiB (T28)', '/outbox/retry', { releaseId: 'x'.repeat(5000) }],
    ['a path nobody knows', '/agent/stop', {}],
  ])('refuses %s', async (_, path, body) => {
    const { call, recorded } = await start(directory());
    await expect(call('POST', path, body)).rejects.toThrow(/^this agent (does not know|does not understand)/);
    expect(recorded.text()).toBe('');
  });

  it('is gone with its agent, and a command then finds nobody', async () => {
    const stateDir = directory();
    const { control, call } = await start(stateDir);
    await control[Symbol.asyncDispose]();
    expect(existsSync(join(stateDir, 'control.sock'))).toBe(false);
    expect(await call('GET', '/log')).toBeUndefined();
  });

  needsRoot()('beside another user', () => {
    it('has mode 0600, and refuses another user even in a directory that is open to all (T19)', async () => {
      const stateDir = directory();
      const { call } = await start(stateDir);
      chmodSync(stateDir, 0o777);
      const path = join(stateDir, 'control.sock');
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(await connectAs(65_534, path)).toBe('EACCES');
      expect(await call('GET', '/log')).toEqual({ lines: [] });
    });
  });

  it('takes the place of the socket that a killed agent left', async () => {
    const stateDir = directory();
    await leftBehind(join(stateDir, 'control.sock'));
    expect(await callControl({ stateDir }, io, { method: 'GET', path: '/log' })).toBeUndefined();
    const { call } = await start(stateDir);
    expect(await call('GET', '/log')).toEqual({ lines: [] });
  });

  it('works in a directory whose name is longer than the address of a socket', async () => {
    const stateDir = join(directory(), 'x'.repeat(120));
    mkdirSync(stateDir);
    const { call, control } = await start(stateDir);
    expect(await call('GET', '/log')).toEqual({ lines: [] });
    await control[Symbol.asyncDispose]();
    expect(existsSync(join(stateDir, 'control.sock'))).toBe(false);
  });

  it('is done without where none can be made, and the log tells it', async () => {
    const stateDir = directory();
    mkdirSync(join(stateDir, 'control.sock'));
    const { recorded } = await start(stateDir);
    expect(recorded.records('control socket not opened')).toHaveLength(1);
  });
});

/** What becomes of a connection that a process of this user makes. */
async function connectAs(uid: number, path: string): Promise<string> {
  const program = `require('node:net').connect(process.argv[1])
    .on('connect', () => process.exit(process.stdout.write('connected') ? 0 : 1))
    .on('error', ({ code }) => process.stdout.write(code))`;
  const child = spawn(process.execPath, ['-e', program, path], {
    uid,
    gid: uid,
    cwd: '/',
    env: {},
    timeout: patience(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(child.stdout);
}

/** A socket whose process was killed: the file stays, and nobody listens. */
async function leftBehind(path: string): Promise<void> {
  const program = `const server = require('node:net').createServer();
    server.listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  const child = spawn(process.execPath, ['-e', program, path], { stdio: 'ignore', timeout: patience() });
  await once(child, 'close');
  expect(existsSync(path)).toBe(true);
}
