/** A process that holds readers and does nothing else; what it opens is the JSON of its one argument. */
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createLog } from '../../src/core/log.ts';
import type { CardReaderEvents } from '../../src/domain/ports/readers.ts';
import { openSerialReader } from '../../src/readers/serial.ts';
import { openDialledReader } from '../../src/readers/tcp-connect.ts';

const { paths, ports } = JSON.parse(process.argv[2] ?? '') as { paths: string[]; ports: number[] };
let missing = paths.length + ports.length;
const ready = (): void => {
  if (missing === 0) process.stdout.write('ready\n');
};
const nothing = (): void => {};
const events: CardReaderEvents = {
  onCard: nothing,
  onDown: nothing,
  onFrame: nothing,
  onUp() {
    missing -= 1;
    ready();
  },
};
const shared = {
  ...{ events, clock: systemClock, chance: systemChance, log: createLog({ level: 'error' }) },
  framing: { kind: 'line' },
} as const;
const readers = [
  ...paths.map((path) => openSerialReader({ ...shared, name: path, path, baudRate: 9600 })),
  ...ports.map((port) =>
    openDialledReader({ ...shared, name: String(port), address: { host: '127.0.0.1', port } }),
  ),
];
const end = new AbortController();
process.once('SIGTERM', () => end.abort());
const life = setInterval(nothing, 3_600_000);
const running = readers.map(({ run }) => run(end.signal));
ready();
end.signal.addEventListener('abort', () => clearInterval(life));
await Promise.all(running);
