/** A server on loopback that answers as the test says, and remembers what it was asked. No cloud: it knows no rules. */
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Server as NetServer } from 'node:net';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Reply = (response: ServerResponse, asked: Asked, count: number) => void;

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** From now on this is the answer. */
  reply: Reply;
}

export async function startServer(reply: Reply): Promise<ScriptedServer> {
  return listen(reply, 'http', (listener) => createServer(listener));
}

export async function listen(
  reply: Reply,
  scheme: 'http' | 'https',
  create: (listener: RequestListener) => Server,
): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const server = create((request, response) => {
    const { method = '', url = '', headers } = request;
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push({ method, url, headers, body });
      scripted.reply(response, { method, url, headers, body }, asked.length);
    });
  });
  const port = await listenOnLoopback(server);
  const scripted: ScriptedServer = {
    url: `${scheme}://127.0.0.1:${port}`,
    asked,
    reply,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return scripted;
}

/** The port it was given. */
export async function listenOnLoopback(server: NetServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

export const answerJson =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };

export const answerStatus =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-length': '0', ...headers });
    response.end();
  };
