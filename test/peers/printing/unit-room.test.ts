/** The room that systemd makes, as the agent calls it: what it believes, and what it does when nobody is there. */
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Problem } from '../../../src/domain/problem/problem.ts';
import { pageCount } from '../../../src/printing/conversion/conversion-commands.ts';
import { taskOf } from '../../contracts/sandbox.ts';
import { needsPeer } from '../../support/needs.ts';
import type { Sandbox } from '../../../src/printing/conversion/sandbox.ts';
import { temporaryDirectory } from '../../support/printer/samples.ts';
import { sandboxWith, standIns } from '../../support/printer/conversion-samples.ts';
import { startUnit } from '../../support/printer/converter-unit.ts';
import { withoutLimit } from '../../support/patience.ts';

type Answer = (token: string, call: Socket) => void;

/** A room that answers as it likes. */
async function roomThat(answer: Answer): Promise<string> {
  const socket = join(temporaryDirectory(), 'socket');
  const server = createServer((call) => {
    createInterface(call).once('line', (line) => answer(line.split(' ')[0] ?? '', call));
    call.on('error', () => undefined);
  }).listen(socket);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return socket;
}

async function heardFrom(socket: string): Promise<string | Problem> {
  let output = '';
  try {
    const task = { ...taskOf(Buffer.from('%PDF')), recipe: pageCount };
    for await (const chunk of sandboxWith({ confinement: 'unit', socket }).run(task, withoutLimit())) {
      output += chunk.toString();
    }
    return output;
  } catch (error) {
    return error as Problem;
  }
}

const whole = 'a whole document, longer than the record of its end is';

describe('what a room says', () => {
  it.each<[string, Answer]>([
    ['whole', (token, call) => call.end(`${whole}\nend ${token} 000\n`)],
    ['in pieces', (token, call) => call.write(whole, () => call.end(`\nend ${token} 000\n`))],
    ['whole, the connection left open', (token, call) => void call.write(`${whole}\nend ${token} 000\n`)],
  ])('%s is taken', async (_, answer) => {
    expect(await heardFrom(await roomThat(answer))).toBe(whole);
  });

  it.each<[string, Answer, RegExp]>([
    ['cut', (_, call) => call.end(whole), /closed before/],
    ['cut in its record', (token, call) => call.end(`${whole}\nend ${token} 00`), /closed before/],
    ['nothing at all', (_, call) => call.end(), /closed before/],
    ['a reset', (_, call) => call.destroy(), /closed before/],
    [
      'an end that another document wrote',
      (_, call) => call.end(`${whole}\nend ${'0'.repeat(32)} 000\n`),
      /closed/,
    ],
    ['a failure', (token, call) => call.end(`${whole}\nend ${token} 003\n`), /status 3/],
    ['a kill', (token, call) => call.end(`${whole}\nend ${token} 137\n`), /was killed/],
    ['no time left', (token, call) => call.end(`${whole}\nend ${token} 152\n`), /processor time/],
  ])('%s is no document', async (_, answer, why) => {
    expect(await heardFrom(await roomThat(answer))).toMatchObject({
      code: 'document-not-convertible',
      message: expect.stringMatching(why) as string,
    });
  });

  it('that was cut, or that nobody said, may be asked for once more', async () => {
    const silent = await roomThat((_, call) => call.end());
    for (const socket of [silent, join(temporaryDirectory(), 'nobody')]) {
      expect(await heardFrom(socket)).toMatchObject({ reasons: ['killed'] });
    }
  });
});

/** Of the sandbox with the usual programs, which this machine need not have. */
const roomOf = (sandbox: Sandbox) =>
  sandbox.confinement(withoutLimit()).catch((error: Problem) => error.code);

it('a unit that does not work is not passed by: the rooms that are made here are less closed', async () => {
  const silent = await roomThat((_, call) => call.end());
  expect(await roomOf(sandboxWith({ socket: silent }))).toBe('converter-missing');
});

needsPeer('systemd-socket-activate', 'systemd')('with a unit', () => {
  it('is the room of choice, until it goes, and not for programs of another place', async () => {
    const folder = temporaryDirectory();
    const programs = standIns(folder, 'echo 3');
    const unit = await startUnit({ programs: folder });
    onTestFinished(() => unit[Symbol.asyncDispose]());
    const { socket } = unit;
    const sandbox = sandboxWith({ socket });
    expect(await roomOf(sandbox)).toBe('unit');
    expect(await roomOf(sandboxWith({ socket, programs }))).toMatch(/namespaces|limits/);
    await unit[Symbol.asyncDispose]();
    const run = () =>
      sandbox.run({ ...taskOf(Buffer.from('%PDF')), recipe: pageCount }, withoutLimit()).next();
    await expect(run()).rejects.toMatchObject({ reasons: ['killed'] });
    expect(await roomOf(sandbox)).toMatch(/namespaces|limits|converter-missing/);
  });
});
