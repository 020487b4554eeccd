/**
 * A terminal that shows what the test says: serves the built page with the agent's own headers, sends frames, checks
 * and keeps the commands. Whatever else is asked for is kept too, because a page has nothing else to ask for.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Command } from '../../src/kiosk/commands.ts';
import { command } from '../../src/kiosk/commands.ts';
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
import { page, readStaticFiles } from '../../src/kiosk/server/page.ts';

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
  heartbeat(): void;
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
  /** Of the next commands. */
  answerWith(status: 204 | 409 | 500): void;
}

/** What the page brings along with its commands. */
const pageName = 'the-page';

export async function startScriptedTerminal(): Promise<ScriptedTerminal> {
  const files = await readStaticFiles();
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

  const sendFrame = (stream: ServerResponse, frame: Frame): void => {
    stream.write(`id: ${frame.generation}\ndata: ${JSON.stringify(frame)}\n\n`);
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeaders(securityHeaders);
    // Stricter than the agent has to be: text that becomes markup anywhere would be an error.
    response.appendHeader('content-security-policy', "require-trusted-types-for 'script'");
    const { method = '', url = '' } = request;
    const file = url === '/t/lobby' ? page : files.get(url);
    if (isAway) return void response.destroy();
    if (file === page) loads += 1;
    if (method === 'GET' && file) return void response.setHeader('content-type', file.type).end(file.body);
    if (method === 'GET' && url === '/t/lobby/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      response.write('retry: 200\n\n');
      response.write(`event: ${buildEvent}\ndata: ${build}\n\n`);
      response.write(`event: ${pageEvent}\ndata: ${pageName}\n\n`);
      streams.add(response);
      response.on('close', () => streams.delete(response));
      if (latest) sendFrame(response, latest);
      return undefined;
    }
    if (method === 'GET' && url === '/t/lobby/events?aside') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      aside.add(response);
      response.on('close', () => aside.delete(response));
      return undefined;
    }
    if (method === 'POST' && url === '/t/lobby/commands') {
      const said: unknown = JSON.parse(await text(request));
      command.parse(said);
      if (request.headers[pageHeader] !== pageName) strayRequests.push('a command of another page');
      commands.push(said as Command);
      return void response.writeHead(status).end();
    }
    if (method === 'GET' && url.startsWith('/t/lobby/pictures/')) {
      if (request.headers[pageHeader] !== pageName) strayRequests.push('a picture for another page');
      pictures.push(url.slice('/t/lobby/pictures/'.length));
      if (picture === undefined) return void response.writeHead(409).end();
      return void response.setHeader('content-type', 'image/png').end(picture);
    }
    // A browser looks for the picture of a page by itself.
    if (url !== '/favicon.ico') strayRequests.push(`${method} ${url}`);
    return void response.writeHead(404).end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      strayRequests.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/t/lobby`,
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
    heartbeat() {
      for (const stream of streams) stream.write(`event: ${heartbeatEvent}\ndata: 1\n\n`);
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
    answerWith(next) {
      status = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
