/**
 * What is left of a person in the memory of the whole agent when session and releases are over (INVARIANTS.md I3, I5;
 * B.4, 10). What a heap snapshot holds is looked at: every object and string that somebody could still reach. Where the
 * octets of those that nobody can reach have gone, is in `test/security/personal-data-in-memory.test.ts`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import { systemClock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import { carolCard, setStage } from '../support/agent/stage.ts';
import { unmistakable as person, unmistakableSeed as seed } from '../support/agent/unmistakable-person.ts';

const terminal = { session: { autoRelease: true } };
const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

async function startAgent(configFile: string) {
  const child = fork(source('../../src/main.ts'), ['run', '-c', configFile], {
    execArgv: ['--expose-gc', '--import', source('heap-probe.ts')],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!child.stdout) throw new Error('the log of the agent cannot be read');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Reads the log on until these messages have come, in whatever order; gives the record of the last one. */
    async told(...messages: string[]): Promise<LogRecord> {
      const missing = [...messages];
      for (;;) {
        const { done, value } = await lines.next();
        if (done === true) throw new Error(`the agent ended before "${missing.join('", "')}"`);
        const record = JSON.parse(value) as LogRecord;
        const place = missing.indexOf(record.msg);
        if (place >= 0) missing.splice(place, 1);
        if (missing.length === 0) return record;
      }
    },
    async writeHeap(file: string) {
      child.send(file);
      await once(child, 'message');
      return file;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Which of them stand in the file, in capitals or not. */
async function foundIn(file: string, wanted: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const found = new Set<string>();
  let before = '';
  for await (const chunk of createReadStream(file, 'latin1') as AsyncIterable<string>) {
    const text = (before + chunk).toLowerCase();
    for (const [what, canary] of Object.entries(wanted)) {
      if (text.includes(canary.toLowerCase())) found.add(what);
    }
    before = text.slice(-1024);
  }
  return [...found].toSorted();
}

it('what a release needs is left of the person after the session, and nothing after the release (I3)', async () => {
  await using stage = await setStage({ cloud: { seed }, terminal });
  const { cloud, printer, reader } = stage;
  const heap = (name: string) => agent.writeHeap(join(stage.folder, name));
  await using agent = await startAgent(stage.configFile);
  const { operations } = await agent.told('agent started');
  await agent.told('terminal ready', 'reader up');

  await printer.behave({ kind: 'hold' });
  reader.tap(person['card number']);
  await agent.told('session opened', 'release started', 'release started');
  await printer.waitFor(() => printer.jobs.length === 1);
  const token = cloud.state.accessTokens.find(({ kind }) => kind === 'user')?.value ?? 'there is none';
  const all = { ...person, token };
  // The reader's own pause (INVARIANTS.md B.4, 1), of an agent in a process of its own: nobody can put its clock forward.
  await systemClock.sleep(seconds(0.4));
  reader.tap(carolCard);
  await agent.told('session closed', 'session closed');
  // What still prints needs these, and nothing else.
  expect(await foundIn(await heap('still printing'), all)).toEqual(['title', 'token', 'user name']);

  await printer.clear();
  await agent.told('history accepted', 'history accepted');
  await cloud.waitFor(() => cloud.state.documents.every(({ info }) => info.status === 2));
  // The answers to the deletions lie before this question.
  await fetch(`http://${String(operations)}/healthz`);
  expect(await foundIn(await heap('over'), all)).toEqual([]);
});
