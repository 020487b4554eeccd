/** What every room of the sandbox keeps to, whatever a converter does in it (INVARIANTS.md T17; B.4, 6 Convert). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { arranged, postscriptToPdf } from '../../src/printing/conversion/conversion-commands.ts';
import type { Task } from '../../src/printing/conversion/running.ts';
import type { Confinement, SandboxLimits } from '../../src/printing/conversion/sandbox-room.ts';
import type { Sandbox } from '../../src/printing/conversion/sandbox.ts';
import { sandboxWith, standIns } from '../support/printer/conversion-samples.ts';
import { startUnit } from '../support/printer/converter-unit.ts';
import { withoutLimit } from '../support/patience.ts';

const mebibyte = 1024 ** 2;
const text = 'the document itself';

export interface Outcome {
  readonly output: string;
  readonly octets: number;
  readonly problem: Problem | undefined;
}

export interface Stage extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly programs: string;
  readonly socket: string;
}

export interface RoomOptions {
  readonly limits?: Partial<SandboxLimits>;
  readonly document?: Buffer;
}

/** A room in which the script stands for the programs. */
export async function stageFor(
  confinement: Confinement,
  script: string,
  { limits = {} }: RoomOptions = {},
): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-stand-in-'));
  const programs = standIns(folder, script);
  const unit = confinement === 'unit' ? await startUnit({ limits, programs: folder }) : undefined;
  // Without namespaces the limit of processes counts all that the agent's user has, and a shell could start none.
  const roomy = confinement === 'limits' ? { processes: 4096 } : {};
  const socket = unit?.socket ?? '';
  return {
    sandbox: sandboxWith({ confinement, programs, limits: { ...roomy, ...limits }, socket }),
    programs: folder,
    socket,
    async [Symbol.asyncDispose]() {
      await unit?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

export const taskOf = (document: Buffer): Task => ({
  recipe: { ...postscriptToPdf },
  document: { length: document.length, read: () => Readable.from([document], { objectMode: false }) },
});

/** The script is a line of shell; `$1` is where the document lies. */
export async function outcomeOf(
  confinement: Confinement,
  script: string,
  options: RoomOptions = {},
): Promise<Outcome> {
  const { document = Buffer.from(text) } = options;
  await using stage = await stageFor(confinement, script, options);
  return await heard(stage.sandbox, taskOf(document));
}

async function heard(sandbox: Sandbox, task: Task): Promise<Outcome> {
  const head: Buffer[] = [];
  let octets = 0;
  const outcome = (problem?: Problem) => ({ output: Buffer.concat(head).toString(), octets, problem });
  try {
    for await (const chunk of sandbox.run(task, withoutLimit())) {
      if (octets < 4096) head.push(chunk);
      octets += chunk.length;
    }
    return outcome();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return outcome(error);
  }
}

/** In the command line of a process of this run alone. */
export const marked = (number: number): string => `77${number}${process.pid}`;

export const processesNamed = (mark: string): number =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(mark);
    } catch {
      return false;
    }
  }).length;

const soon = { limits: { wall: seconds(0.5) } };

export const sandboxContract = (confinement: Confinement) =>
  describe(`a program shut in by ${confinement}`, () => {
    const run = (script: string, options?: RoomOptions) => outcomeOf(confinement, script, options);

    it.concurrent.each<[string, string, string]>([
      ['reads its document', 'cat "$1"', text],
      ['reads it from its middle', 'tail -c 6 "$1"', 'itself'],
      ['writes beside its output', 'echo x >"$TMPDIR/x" && cat "$TMPDIR/x"', 'x\n'],
      ['reads nothing', 'echo done', 'done\n'],
      ['writes 100 MB of complaints', 'head -c 100000000 /dev/zero >&2; echo done', 'done\n'],
      ['leaves a child behind', 'sleep 77 >/dev/null & echo done', 'done\n'],
    ])('that %s is heard to its end', async (_, script, output) => {
      expect(await run(script)).toMatchObject({ output, problem: undefined });
    });

    it('that reads what lies beside it is heard', async () => {
      await using stage = await stageFor(confinement, 'cat "$2"');
      const recipe = arranged(['blank'], 'beside it');
      expect(await heard(stage.sandbox, { ...taskOf(empty), recipe })).toMatchObject({ output: 'beside it' });
    });

    it.concurrent.each<[string, string, RegExp, RoomOptions?]>([
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
      const { problem } = await run(bomb, soon);
      expect(problem?.code ?? 'ended').toMatch(/document-not-convertible|ended/);
      await expect.poll(() => processesNamed(marked(33))).toBe(0);
    });

    it('that would take the agent’s memory with it does not get it', async () => {
      async function growth(): Promise<number> {
        const before = process.memoryUsage().rss;
        const { octets } = await run('head -c 100M /dev/zero');
        expect(octets).toBe(100 * mebibyte);
        await run('head -c 100M /dev/zero >&2');
        return process.memoryUsage().rss - before;
      }
      // What reading from pipes takes anyway is taken with the first; what is kept would be kept each time.
      await expect.poll(growth).toBeLessThan(20 * mebibyte);
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
      const script = `sleep ${marked(44)} & while :; do echo x; sleep 0.02; done`;
      await using stage = await stageFor(confinement, script);
      const listening = (async () => {
        for await (const _ of stage.sandbox.run(taskOf(empty), stop)) stop.abort(new Error('enough'));
      })();
      await expect(listening).rejects.toThrow('enough');
      await expect.poll(() => processesNamed(marked(44))).toBe(0);
    });

    it('ends with the agent, also when that is killed', async () => {
      const mark = marked({ unit: 65, namespaces: 66, limits: 67 }[confinement]);
      await using stage = await stageFor(confinement, `printf '%99s' running; exec sleep ${mark}`);
      const script = fileURLToPath(new URL('../printing/conversion/sandbox-process.ts', import.meta.url));
      const agent = spawn(process.execPath, [script, confinement, stage.programs, stage.socket], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void agent.kill('SIGKILL'));
      await once(agent.stdout, 'data');
      await expect.poll(() => processesNamed(mark)).toBeGreaterThan(0);
      const gone = once(agent, 'exit');
      agent.kill('SIGKILL');
      await gone;
      await expect.poll(() => processesNamed(mark)).toBe(0);
      // What it had in memory goes with the next run.
      expect(await run('echo next')).toMatchObject({ output: 'next\n' });
      expect(readdirSync('/dev/shm').filter((name) => name.startsWith(`platen-${agent.pid}-`))).toEqual([]);
    });

    it('is not given a document that is broken', async () => {
      const broken = new Problem('spool-failed', 'the spool file is not what was written to it');
      await using stage = await stageFor(confinement, 'cat "$1"');
      const document = { length: 40, read: () => Readable.from(failing(broken)) };
      await expect(drained(stage.sandbox.run({ ...taskOf(empty), document }, withoutLimit()))).rejects.toBe(
        broken,
      );
    });
  });

const empty = Buffer.alloc(0);

async function* failing(error: Error): AsyncGenerator<Buffer> {
  yield Buffer.from('some');
  throw error;
}

async function drained(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}
