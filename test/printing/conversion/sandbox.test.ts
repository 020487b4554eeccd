/** A converter that misbehaves in every way it can, shut in both rooms (reliability.md T17; B.4, 6 Convert). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import { Problem } from '../../../src/domain/problem.ts';
import type { Confinement } from '../../../src/printing/conversion/sandbox-room.ts';
import type { ConverterBenchOptions } from './conversion-samples.ts';
import { sandboxWith } from './conversion-samples.ts';
import { patience } from '../samples.ts';

const mebibyte = 1024 ** 2;
const text = 'the document itself';

interface Outcome {
  readonly output: string;
  readonly octets: number;
  readonly problem: Problem | undefined;
}

/** The program is a line of shell; `$1` is where the document lies, `$2` the file beside it. */
async function outcomeOf(
  script: string,
  options: ConverterBenchOptions & { document?: Buffer } = {},
): Promise<Outcome> {
  const { document = Buffer.from(text) } = options;
  const head: Buffer[] = [];
  let octets = 0;
  try {
    const task = {
      program: '/bin/sh',
      arguments: ({ document: path, beside }: { document: string; beside: string }) => [
        '-c',
        script,
        'sh',
        path,
        beside,
      ],
      document: { read: () => Readable.from([document], { objectMode: false }) },
      beside: 'beside it',
    };
    for await (const chunk of sandboxWith(options).run(task, patience())) {
      if (octets < 4096) head.push(chunk);
      octets += chunk.length;
    }
    return { output: Buffer.concat(head).toString(), octets, problem: undefined };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { output: Buffer.concat(head).toString(), octets, problem: error };
  }
}

/** Nothing that a program left is running on. */
/** In the command line of a process of this run alone. */
const marked = (number: number): string => `77${number}${process.pid}`;

const processesNamed = (mark: string): number =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(mark);
    } catch {
      return false;
    }
  }).length;

const soon = { limits: { wall: seconds(0.5) } };

/** Where the system gives no user namespaces, there is one room to test. */
const rooms = await sandboxWith().confinement(patience());
const allRooms: readonly Confinement[] = rooms === 'namespaces' ? ['namespaces', 'limits'] : ['limits'];

describe.each(allRooms)('a program shut in by %s', (confinement) => {
  // Without namespaces the limit of processes counts all that the agent's user has, and a shell could start none.
  const roomy = confinement === 'limits' ? { processes: 4096 } : {};
  const run = (script: string, options: ConverterBenchOptions & { document?: Buffer } = {}) =>
    outcomeOf(script, { ...options, confinement, limits: { ...roomy, ...options.limits } });

  it.concurrent.each<[string, string, string]>([
    ['reads its document', 'cat "$1"', text],
    ['reads it from its middle', 'tail -c 6 "$1"', 'itself'],
    ['reads what lies beside it', 'cat "$2"', 'beside it'],
    ['writes beside its output', 'echo x >"$TMPDIR/x" && cat "$TMPDIR/x"', 'x\n'],
    ['reads nothing', 'echo done', 'done\n'],
    ['writes 100 MB of complaints', 'head -c 100000000 /dev/zero >&2; echo done', 'done\n'],
    ['leaves a child behind', 'sleep 77 >/dev/null & echo done', 'done\n'],
  ])('that %s is heard to its end', async (_, script, output) => {
    expect(await run(script)).toMatchObject({ output, problem: undefined });
  });

  it.concurrent.each<[string, string, RegExp, ConverterBenchOptions?]>([
    ['fails', 'exit 3', /status 3/],
    ['fails after its output', 'cat "$1"; exit 1', /status 1/],
    ['is no program', 'exec /nowhere', /status 127/],
    ['crashes', 'kill -SEGV $$', /139|SIGSEGV/],
    ['aborts', 'kill -ABRT $$', /134|SIGABRT/],
    ['is killed', 'kill -KILL $$', /killed/],
    ['hangs', 'sleep 77', /longer than/, soon],
    ['hangs after its output', 'cat "$1"; sleep 77', /longer than/, soon],
    ['closes its output and hangs', 'exec >&-; sleep 77', /longer than/, soon],
    ['ignores SIGTERM', 'trap "" TERM; while :; do sleep 1; done', /longer than/, soon],
    ['ignores every signal it can', 'trap "" TERM INT HUP QUIT; sleep 77; sleep 77', /longer than/, soon],
    ['writes without end', 'cat /dev/zero', /more than/, { limits: { output: 4 * mebibyte } }],
    ['trickles without end', 'while :; do echo x; sleep 0.05; done', /longer than/, soon],
    [
      'uses the processor without end',
      'while :; do :; done',
      /processor time/,
      { limits: { cpu: seconds(1) } },
    ],
    [
      'wants more memory than there is',
      'test "$(head -c 200M /dev/zero | tail -n 1 | wc -c)" -gt 0',
      /status 1/,
      { limits: { addressSpace: 64 * mebibyte } },
    ],
    [
      'fills its folder',
      'head -c 64M /dev/zero >"$TMPDIR/x" || exit 4',
      /status|killed|ended by/,
      {
        limits: { files: 8 * mebibyte },
      },
    ],
  ])('that %s is refused, and ends', async (_, script, why, options) => {
    const { problem } = await run(script, options);
    expect(problem).toMatchObject({ code: 'document-not-convertible' });
    expect(problem?.message).toMatch(why);
  });

  it('that multiplies is ended with all its children', async () => {
    const bomb = `bomb() { bomb | bomb & }; bomb; sleep ${marked(33)}`;
    const { problem } = await outcomeOf(bomb, { confinement, ...soon });
    expect(problem?.code ?? 'ended').toMatch(/document-not-convertible|ended/);
    await expect.poll(() => processesNamed(marked(33))).toBe(0);
  });

  it('that would take the agent’s memory with it does not get it', async () => {
    async function growth(): Promise<number> {
      const before = process.memoryUsage().rss;
      const { octets } = await run('head -c 200M /dev/zero');
      expect(octets).toBe(200 * mebibyte);
      await run('head -c 100M /dev/zero >&2');
      return process.memoryUsage().rss - before;
    }
    // What reading from pipes takes anyway is taken with the first; what is kept would be kept each time.
    await expect.poll(growth, { timeout: 8000 }).toBeLessThan(20 * mebibyte);
  });

  it('knows nothing of the agent: its environment is bare', async () => {
    process.env['PLATEN_CANARY'] = 'canary-of-the-environment';
    onTestFinished(() => void delete process.env['PLATEN_CANARY']);
    const { output } = await run('env; cat /proc/self/environ 2>/dev/null');
    expect(output).toContain('PATH=');
    expect(output).not.toContain('canary');
  });

  it('ends when nobody listens any more', async () => {
    const stop = new AbortController();
    const task = {
      program: '/bin/sh',
      arguments: () => ['-c', `while :; do echo x; sleep 0.02; done; : ${marked(44)}`],
      document: { read: () => Readable.from([]) },
    };
    const heard = (async () => {
      for await (const _ of sandboxWith({ confinement }).run(task, stop)) stop.abort(new Error('enough'));
    })();
    await expect(heard).rejects.toThrow('enough');
    await expect.poll(() => processesNamed(marked(44))).toBe(0);
  });

  it('ends with the agent, also when that is killed', async () => {
    const mark = marked(confinement === 'namespaces' ? 66 : 67);
    const script = fileURLToPath(new URL('sandbox-process.ts', import.meta.url));
    const agent = spawn(process.execPath, [script, confinement, mark], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(agent.stdout, 'data');
    const gone = once(agent, 'exit');
    agent.kill('SIGKILL');
    await gone;
    await expect.poll(() => processesNamed(mark), { timeout: 3000 }).toBe(0);
    // What it had in memory goes with the next run.
    expect(await run('echo next')).toMatchObject({ output: 'next\n' });
    expect(readdirSync('/dev/shm').filter((name) => name.startsWith(`platen-${agent.pid}-`))).toEqual([]);
  });

  it('is not given a document that is broken', async () => {
    const broken = new Problem('spool-failed', 'the spool file is not what was written to it');
    const task = {
      program: '/bin/cat',
      arguments: ({ document }: { document: string }) => [document],
      document: { read: () => Readable.from(failing(broken)) },
    };
    await expect(drained(sandboxWith({ confinement }).run(task, patience()))).rejects.toBe(broken);
  });
});

async function* failing(error: Error): AsyncGenerator<Buffer> {
  yield Buffer.from('some');
  throw error;
}

async function drained(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}

const inNamespaces = rooms === 'namespaces' ? describe : describe.skip;

inNamespaces('user namespaces, where this machine gives them,', () => {
  it('end also what hides in a session of its own', async () => {
    await outcomeOf(`setsid sleep ${marked(55)} & sleep ${marked(55)}`, soon);
    await expect.poll(() => processesNamed(marked(55))).toBe(0);
  });

  it('hide the files of this machine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'platen-canary-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const canary = join(folder, 'secret');
    writeFileSync(canary, 'canary-of-the-disk', { mode: 0o644 });
    const { output } = await outcomeOf(
      `cat ${canary}; cat /etc/passwd; ls / /etc /tmp /proc /old /mnt; touch /usr/x && echo written; :`,
    );
    expect(output).not.toMatch(/canary|root:|written/);
    expect(output).toContain('document');
  });

  it('have no network: not a byte reaches a listener on this machine', async () => {
    let calls = 0;
    const server = createServer(() => void (calls += 1)).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached`;
    const { output } = await outcomeOf(`bash -c '${script}'; ls /sys 2>/dev/null; :`);
    expect(output).toBe('');
    expect(calls).toBe(0);
  });

  it('let at most the limit of processes be', async () => {
    const script = 'for n in 1 2 3 4 5 6 7 8 9; do sleep 1 & done; echo all';
    expect((await outcomeOf(script)).problem).toMatchObject({ code: 'document-not-convertible' });
  });
});
