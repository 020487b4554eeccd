/**
 * A way to a server that can be cut: what was connected is lost, and nobody is let through any more. Or
 * it falls silent, both ways or one: nothing comes through and nobody is told, and later on what was under way arrives
 * late.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface CutLine extends AsyncDisposable {
  readonly port: number;
  cut(): void;
  silence(way: Way): void;
  mend(): void;
}

export type Way = 'both' | 'there' | 'back';

interface Flow {
  readonly way: Exclude<Way, 'both'>;
  readonly from: Socket;
  readonly to: Socket;
}

/** Where it begins and where it leads to; both on this machine, and it begins at a free port, unless that is said. */
interface Ends {
  readonly from?: { readonly host: string; readonly port: number };
  readonly host?: string;
}

export async function layLine(
  to: number,
  { from: begins = { host: '127.0.0.1', port: 0 }, host = '127.0.0.1' }: Ends = {},
): Promise<CutLine> {
  const flows = new Set<Flow>();
  let isCut = false;
  let silent: Way | undefined;
  const isSilent = ({ way }: Flow): boolean => silent === 'both' || silent === way;
  const begin = (flow: Flow): void => {
    flows.add(flow);
    const { from, to: other } = flow;
    from
      .on('error', () => {})
      .on('close', (hadError) => {
        flows.delete(flow);
        if (hadError) other.destroy();
        else other.end();
      });
    if (!isSilent(flow)) from.pipe(other);
  };
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect({ host, port: to });
    begin({ way: 'there', from: near, to: far });
    begin({ way: 'back', from: far, to: near });
  });
  server.listen(begins);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const drop = (): void => {
    for (const { from } of flows) from.destroy();
  };
  return {
    port,
    cut() {
      isCut = true;
      drop();
    },
    silence(way) {
      silent = way;
      for (const flow of flows) if (isSilent(flow)) flow.from.unpipe(flow.to).pause();
    },
    mend() {
      isCut = false;
      const before = [...flows].filter(isSilent);
      silent = undefined;
      for (const { from, to: other } of before) from.pipe(other);
    },
    async [Symbol.asyncDispose]() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
