/** A program of another user of this machine that talks to the kiosk; a process of its own, as nobody has two uids. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { patience } from '../../support/patience.ts';

export interface Attempt {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address of the kiosk, as the socket knows it. */
  readonly host?: string;
  /** `at-once`: the socket is closed as soon as the request is written; its answer is 0. */
  readonly leaves?: 'at-once';
}

/** The status of each, and the length of its body; each on a connection of its own. */
export async function askAs(
  uid: number,
  port: number,
  attempts: readonly Attempt[],
): Promise<[number, number][]> {
  const child = spawn(process.execPath, ['-e', program], {
    uid,
    gid: uid,
    cwd: '/',
    env: {},
    timeout: patience(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ port, attempts }));
  return (await json(child.stdout)) as [number, number][];
}

/** So many callers that ask, are refused, and come again at once, until this is disposed. */
export async function crowdAs(uid: number, port: number, count: number): Promise<Disposable> {
  const crowd = spawn(process.execPath, ['-e', crowdProgram, String(port), String(count)], {
    uid,
    gid: uid,
    cwd: '/',
    env: {},
    timeout: patience(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Somebody was refused.
  await once(crowd.stdout, 'data');
  return { [Symbol.dispose]: () => void crowd.kill('SIGKILL') };
}

const crowdProgram = `
const { connect } = require('node:net');
const [port, count] = process.argv.slice(1).map(Number);

function come() {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('GET /t/lobby HTTP/1.1\\r\\nHost: 127.0.0.1:' + port + '\\r\\n\\r\\n');
  });
  socket.once('data', () => {
    process.stdout.write('.');
    socket.destroy();
  });
  socket.on('error', () => {});
  socket.once('close', () => setImmediate(come));
}

for (let caller = 0; caller < count; caller += 1) come();
`;

const program = `
const { once } = require('node:events');
const { request } = require('node:http');
const { json } = require('node:stream/consumers');

async function ask(port, { method = 'GET', path, headers = {}, body, host = '127.0.0.1', leaves }) {
  const named = { host: '127.0.0.1:' + port, ...headers };
  const asked = request({ agent: false, host, port, method, path, headers: named });
  asked.on('error', () => {});
  asked.end(body);
  if (leaves) {
    await once(asked, 'finish');
    asked.destroy();
    return [0, 0];
  }
  const [answer] = await once(asked, 'response');
  // A stream has no end.
  if (answer.headers['content-type']?.startsWith('text/event-stream')) {
    answer.destroy();
    return [answer.statusCode, 0];
  }
  let length = 0;
  for await (const part of answer) length += part.length;
  return [answer.statusCode, length];
}

(async () => {
  const { port, attempts } = await json(process.stdin);
  const answers = [];
  while (attempts.length > 0) {
    answers.push(...(await Promise.all(attempts.splice(0, 16).map((attempt) => ask(port, attempt)))));
  }
  process.stdout.write(JSON.stringify(answers));
})();
`;
