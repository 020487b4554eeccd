/**
 * The spoolers that the terminals print through, one line each. A spooler that is away explains the faults of all its
 * queues.
 */
import { connect } from 'node:net';
import { once } from 'node:events';
import { printersOf } from '../../../config/printers.ts';
import type { Config } from '../../../config/schema/config.ts';
import { seconds } from '../../../core/duration.ts';
import { spoolerQueue } from '../../../domain/printer/spooler-queue.ts';
import type { Step } from '../examination.ts';

export function examineSpoolers({ terminals }: Config): readonly Step[] {
  const queues = terminals.flatMap(printersOf).flatMap(({ uri }) => spoolerQueue(uri) ?? []);
  const servers = [...new Set(queues.map(({ server }) => server))];
  return servers.map((server) => ({
    what: `spooler${server === undefined ? '' : ` ${server}`}`,
    kind: 'spooler',
    limit: seconds(5),
    async examine({ signal }) {
      const { hostname, port } = new URL(`http://${server ?? 'localhost'}`);
      const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 631 });
      try {
        await once(socket, 'connect', { signal });
        return 'accepts connections';
      } catch (cause) {
        const advice = server === undefined ? 'systemctl start cups' : 'check its computer and the firewall';
        throw new Error(`no spooler answers at ${hostname}:${port || 631}; ${advice}`, { cause });
      } finally {
        socket.destroy();
      }
    },
  }));
}
