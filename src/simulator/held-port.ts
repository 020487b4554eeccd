/**
 * A port of 127.0.0.1 at which nobody listens and which nobody else is given.
 *
 * A server that is away for a while leaves its port free; the next program that asks for any port may get it,
 * and then receives what was meant for the server. The end of a connection holds the port: whoever connects
 * there is refused (RFC 9293 3.10.7.1), and a bind to port 0 passes it over.
 */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

const localAddress = '127.0.0.1';

/** Where another program has the port already, nothing is held and nothing said: it is refused at the return. */
export async function holdPort(port: number): Promise<Disposable> {
  const ends: Socket[] = [];
  const other = createServer((far) => void ends.push(far.unref().on('error', () => {})));
  await once(other.listen(0, localAddress), 'listening');
  const { port: otherPort } = other.address() as AddressInfo;
  const near = connect({ host: localAddress, port: otherPort, localAddress, localPort: port });
  ends.push(near.unref());
  try {
    await once(near, 'connect');
  } catch {
    near.destroy();
  }
  near.on('error', () => {});
  other.close();
  return {
    [Symbol.dispose]() {
      for (const end of ends) end.destroy();
    },
  };
}
