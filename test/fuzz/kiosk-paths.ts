/**
 * Request targets made at random, asked of a kiosk over real sockets (INVARIANTS.md T04, T05, G7): each leads to a file
 * of the page, to the events or to nothing, and none does anything. The same seed gives the same targets.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { page, readStaticFiles } from '../../src/kiosk/server/kiosk-page.ts';
import type { Dice } from '../support/dice.ts';
import { diceOf } from '../support/dice.ts';
import type { Program } from '../support/campaign-program.ts';
import { startKioskStage } from '../kiosk/kiosk-stage.ts';

export interface FuzzedPaths {
  readonly runs: number;
  /** How many answers had this status; of the streams, `events`. */
  readonly answers: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

const parts = [
  '/',
  '/t',
  '/lobby',
  '/t/lobby',
  '/events',
  '/commands',
  '/kiosk.js',
  '/kiosk.css',
  '/t/lobby/events',
  '..',
  '/..',
  '/../',
  '.',
  '//',
  ';',
  ';a=b',
  '\\',
  '/..\\..',
  '?',
  '?launch=x',
  '#',
  '*',
  '~',
  '&',
  '=',
  ':',
  '@',
  '%2e',
  '%2E%2e',
  '%2f',
  '%2F..%2f',
  '%5c',
  '%00',
  '%',
  '%zz',
  '%25%32%65',
  '%252e%252e',
  '%u002e',
  '%0d%0a',
  // Slash and dot, longer than UTF-8 writes them (RFC 3629, 3), and what is no UTF-8.
  '%c0%af',
  '%c0%ae%c0%ae',
  '%e0%80%af',
  '%f0%80%80%af',
  '%ff',
  '/etc/passwd',
  '/proc/self/environ',
  '/__proto__',
  '/constructor',
  '/healthz',
  '/%74/lobby',
  '/T/LOBBY',
  'http://127.0.0.1',
  'http://evil.example',
  '//evil.example',
  'file:///etc/passwd',
  'lobby%2fevents',
] as const;
/** The same and others as they are, which no browser sends. */
const rawParts = ['\xc0\xaf', '\xc0\xae', '\xff', '\x7f', '\0', '\t'] as const;
const mostParts = 6;
/** Connections at a time, and targets of each. */
const lanes = 8;
const atATime = 25;
/** Milliseconds without any answer. */
const tolerable = 5000;

export async function fuzzKioskPaths({ runs, seed }: { runs: number; seed: number }): Promise<FuzzedPaths> {
  const dice = diceOf(seed);
  await using stage = await startKioskStage();
  const secret = stage.secrets.launch().reveal();
  const files = [page, ...(await readStaticFiles()).values()];
  const bodies = new Set(files.map(({ body }) => Buffer.from(body).toString('latin1')));
  const answers: Record<string, number> = {};
  const violations: string[] = [];

  const check = (target: string, { status, head, body }: Answer): void => {
    answers[status] = (answers[status] ?? 0) + 1;
    const isRight = status === '200' ? bodies.has(body) : body === '' && isEmptyAnswer(status, head);
    if (!isRight) violations.push(`seed ${seed}: ${JSON.stringify(target)}: ${status}\n${head}`);
  };
  for (let asked = 0; asked < runs; asked += lanes * atATime) {
    const count = Math.min(lanes * atATime, runs - asked);
    const targets = Array.from({ length: count }, () => targetOf(dice));
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const own = targets.slice(lane * atATime, (lane + 1) * atATime);
        for (const [index, answer] of (await ask(stage.port, own)).entries()) check(own[index] ?? '', answer);
      }),
    );
  }
  if (stage.told.length > 0)
    violations.push(`seed ${seed}: the terminal was told ${JSON.stringify(stage.told)}`);
  if (stage.secrets.launch().reveal() !== secret)
    violations.push(`seed ${seed}: the launch secret was spent`);
  const failed = stage.recorded.records('kiosk request failed').length;
  if (failed > 0) violations.push(`seed ${seed}: ${failed} requests made the kiosk fail`);
  return { runs, answers, violations };
}

/** For `npm run campaign`. */
export const fuzzedPaths: Program = {
  name: 'fuzz-paths',
  what: 'a path asked of the kiosk, made at random (T04)',
  runs: 10_000_000,
  async run(order) {
    const { runs, answers, violations } = await fuzzKioskPaths(order);
    return { table: `${runs} paths: ${JSON.stringify(answers)}`, violations };
  },
};

const targetOf = (dice: Dice): string => {
  const made = Array.from({ length: Math.floor(dice.number(mostParts)) }, () =>
    dice.one(dice.happens(2) ? rawParts : parts),
  ).join('');
  if (dice.happens(20)) return `/t/lobby${made}`;
  return dice.happens(90) ? `/${made}` : made || '*';
};

const isEmptyAnswer = (status: string, head: string): boolean =>
  ['400', '404', '421', 'events'].includes(status) ||
  (status === '303' && /^location: \/t\/lobby\r?$/im.test(head) && !/^set-cookie:/im.test(head));

interface Answer {
  readonly status: string;
  readonly head: string;
  readonly body: string;
}

const noAnswer: Answer = { status: 'none', head: '', body: '' };

/** Of each target in turn, on one connection for as long as it lasts: after a stream and after a 400 on a new one. */
async function ask(port: number, targets: readonly string[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let socket: Socket | undefined;
  for (const target of targets) {
    socket ??= await connected(port);
    socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`, 'latin1');
    const answer = await answerOn(socket);
    answers.push(answer);
    if (['events', '400', 'none'].includes(answer.status)) {
      socket.destroy();
      socket = undefined;
    }
  }
  socket?.destroy();
  return answers;
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.setTimeout(tolerable, () => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const answerOn = (socket: Socket): Promise<Answer> =>
  new Promise((resolve) => {
    let text = '';
    const end = (answer: Answer): void => {
      socket.off('data', read).off('close', isClosed);
      resolve(answer);
    };
    const isClosed = (): void => end(noAnswer);
    const read = (part: string): void => {
      text += part;
      const answer = wholeAnswer(text);
      if (answer) end(answer);
    };
    socket.on('data', read).on('close', isClosed);
  });

function wholeAnswer(text: string): Answer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 'none';
  if (/^content-type: text\/event-stream/im.test(head)) return { status: 'events', head, body: '' };
  const body = text.slice(end + 4);
  return body.length < Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
    ? undefined
    : { status, head, body };
}
