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
    async statusOf({ body, ...asked }) {
      const headers = Object.fromEntries(
        Object.entries(asked.headers).filter(([, value]) => value !== undefined),
      );
      const outgoing = request({ agent, port, host: '127.0.0.1', ...asked, headers });
      outgoing.end(body);
      const [answer] = await once(outgoing, 'response');
      if (answer.headers['content-type']?.startsWith('text/event-stream')) answer.destroy();
      else await once(answer.resume(), 'end');
      return answer.statusCode as number;
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
