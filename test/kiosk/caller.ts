/** Asks a kiosk many things over a few connections, in the very words of the test: a browser would change some of them. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';

export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Those without a value are left out. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

export interface Caller extends Disposable {
  /** The status of the answer; of a stream, which is not read on. */
  statusOf(asked: Asked): Promise<number>;
}

export function createCaller(port: number): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  return {
    async statusOf(all) {
      const { body, ...asked } = all;
      const headers = Object.fromEntries(
        Object.entries(asked.headers).filter(([, value]) => value !== undefined),
      );
      const outgoing = request({ agent, port, host: '127.0.0.1', ...asked, headers });
      outgoing.end(body);
      const answered = await once(outgoing, 'response').catch((error: unknown) => {
        // The server may end a kept connection at any time, before it reads the request (RFC 9112, section 9.5).
        if (outgoing.reusedSocket) return undefined;
        throw error;
      });
      if (!answered) return this.statusOf(all);
      const [answer] = answered;
      if (answer.headers['content-type']?.startsWith('text/event-stream')) answer.destroy();
      else await once(answer.resume(), 'end');
      return answer.statusCode as number;
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
