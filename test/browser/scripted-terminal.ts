/**
 * A terminal that shows what the test says: serves the built page with the agent's own headers, sends frames, checks
 * and keeps the commands. Whatever else is asked for is kept too, because a page has nothing else to ask for.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Command } from '../../src/kiosk/commands.ts';
import { wordIn } from '../../src/kiosk/commands.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import {
  buildEvent,
  freeEvent,
  heartbeatEvent,
  movedEvent,
  pageEvent,
  pageHeader,
} from '../../src/kiosk/frame.ts';
import { securityHeaders } from '../../src/listener/gate.ts';
import type { LookConfig } from '../../src/kiosk/server/kiosk-page.ts';
import { filesOf, page, readStaticFiles } from '../../src/kiosk/server/kiosk-page.ts';
import { eventually } from '../support/patience.ts';

export interface ScriptedTerminal extends AsyncDisposable {
  readonly address: string;
  readonly commands: readonly Command[];
  /** How often the page was loaded. */
  readonly loads: () => number;
  /** Requests for what no page of ours names. */
  readonly strayRequests: readonly string[];
  /** Which pictures of pages were asked for. */
  readonly pictures: readonly string[];
  show(frame: Frame): void;
  /** Resolves when a page listens. */
  listenedTo(): Promise<void>;
  /** The answer is its number, which the page hears with it. */
  heartbeat(): number;
  /** Another page takes over: the streams that are open end with that. */
  move(): void;
  /** The page that took over is gone. */
  free(): void;
  /** Of the pages that connect from now on. */
  serveBuild(build: string): void;
  /** The streams break, and new ones are refused until `comeBack`. */
  goAway(): void;
  comeBack(): void;
  /** The picture of whatever page is shown; none at first. */
  servePicture(png: Buffer | undefined): void;
  /** What the page looks like when it is loaded anew. */
  serveLook(look: LookConfig): void;
  /** Of the next commands. */
  answerWith(status: 204 | 409 | 500): void;
}

/** What the page brings along with its commands. */
const pageName = 'the-page';

/** What a terminal answers to one of its own paths; `false`: there is none of this name. */
type Answer = (path: string, request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

interface Played {
  readonly answer: Answer;
  readonly onStray: (what: string) => void;
}

/** By id: each one has its own, so a page of an earlier test says nothing to a later one. */
const played = new Map<string, Played>();
let server: Promise<{ readonly origin: string }> | undefined;
let last = 0;
const usualLook: LookConfig = { bigButtons: false };
/** Of the terminal that was started last. */
let looks = filesOf(usualLook);

/**
 * One for all terminals of a process: a browser takes a page of the same origin into the renderer that it has, and starts
 * another one for any other page.
 */
async function startServer(): Promise<{ readonly origin: string }> {
  const files = await readStaticFiles();
  const noteStray = (what: string): void => {
    for (const { onStray } of played.values()) onStray(what);
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeaders(securityHeaders);
    // Stricter than the agent has to be: text that becomes markup anywhere would be an error.
    response.appendHeader('content-security-policy', "require-trusted-types-for 'script'");
    const { method = '', url = '' } = request;
    const file = method === 'GET' ? (looks.get(url) ?? files.get(url)) : undefined;
    if (file) return void response.setHeader('content-type', file.type).end(file.body);
    const [, id = '', path = ''] = /^\/t\/([^/?]+)(.*)$/.exec(url) ?? [];
    // A terminal that is over is none of anybody's any more, and a browser looks for the picture of a page by itself.
    const isOver = /^lobby-\d+$/.test(id) && !played.has(id);
    if (await played.get(id)?.answer(`${method} ${path}`, request, response)) return undefined;
    if (!isOver && url !== '/favicon.ico') noteStray(`${method} ${url}`);
    return void response.writeHead(404).end();
  }
  const listener = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      noteStray(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  // Nothing of a test: it may end with its process.
  listener.unref();
  const { port } = listener.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}` };
}

export async function startScriptedTerminal(): Promise<ScriptedTerminal> {
  const { origin } = await (server ??= startServer());
  last += 1;
  looks = filesOf(usualLook);
  const id = `lobby-${last}`;
  const streams = new Set<ServerResponse>();
  const aside = new Set<ServerResponse>();
  const commands: Command[] = [];
  const strayRequests: string[] = [];
  const pictures: string[] = [];
  let picture: Buffer | undefined;
  let latest: Frame | undefined;
  let isAway = false;
  let status = 204;
  let build = 'first';
  let loads = 0;
  let beats = 0;

  const sendFrame = (stream: ServerResponse, frame: Frame): void => {
    stream.write(`id: ${frame.generation}\ndata: ${JSON.stringify(frame)}\n\n`);
  };
  const openStream = (response: ServerResponse, among: Set<ServerResponse>): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    among.add(response);
    response.on('close', () => among.delete(response));
  };

  const answer: Answer = async (path, request, response) => {
    if (isAway) {
      response.destroy();
      return true;
    }
    if (path === 'GET ') {
      loads += 1;
      response.setHeader('content-type', page.type).end(page.body);
    } else if (path === 'GET /events') {
      openStream(response, streams);
      response.write('retry: 200\n\n');
      response.write(`event: ${buildEvent}\ndata: ${build}\n\n`);
      response.write(`event: ${pageEvent}\ndata: ${pageName}\n\n`);
      if (latest) sendFrame(response, latest);
    } else if (path === 'GET /events?aside') {
      openStream(response, aside);
    } else if (path === 'POST /commands') {
      const said: unknown = JSON.parse(await text(request));
      assert(wordIn(said), 'no word of a person');
      if (request.headers[pageHeader] !== pageName) strayRequests.push('a command of another page');
      commands.push(said as Command);
      response.writeHead(status).end();
    } else if (path.startsWith('GET /pictures/')) {
      if (request.headers[pageHeader] !== pageName) strayRequests.push('a picture for another page');
      pictures.push(path.slice('GET /pictures/'.length));
      if (picture === undefined) response.writeHead(409).end();
      else response.setHeader('content-type', 'image/png').end(picture);
    } else return false;
    return true;
  };

  played.set(id, { answer, onStray: (what) => strayRequests.push(what) });
  return {
    address: `${origin}/t/${id}`,
    commands,
    loads: () => loads,
    strayRequests,
    pictures,
    servePicture(png) {
      picture = png;
    },
    show(frame) {
      latest = frame;
      for (const stream of streams) sendFrame(stream, frame);
    },
    async listenedTo() {
      await eventually(() => assert.ok(streams.size > 0, 'no page listens'));
    },
    heartbeat() {
      beats += 1;
      for (const stream of streams) stream.write(`event: ${heartbeatEvent}\ndata: ${beats}\n\n`);
      return beats;
    },
    move() {
      for (const stream of streams) stream.end(`event: ${movedEvent}\ndata: {}\n\n`);
    },
    free() {
      for (const stream of aside) stream.end(`event: ${freeEvent}\ndata: {}\n\n`);
    },
    serveBuild(next) {
      build = next;
    },
    goAway() {
      isAway = true;
      for (const stream of streams) stream.destroy();
    },
    comeBack() {
      isAway = false;
    },
    serveLook(look) {
      looks = filesOf(look);
    },
    answerWith(next) {
      status = next;
    },
    async [Symbol.asyncDispose]() {
      played.delete(id);
      for (const stream of [...streams, ...aside]) stream.destroy();
    },
  };
}
