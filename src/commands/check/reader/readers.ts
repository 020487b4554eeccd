/**
 * `platen check` for each reader. The check opens no reader that the running agent may have open. Otherwise the agent
 * would lose badges, and many network readers give their one connection to the newest client.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { ReaderOf } from '../../../config/schema/reader.ts';
import { placeText, readerName } from '../../../config/schema/reader.ts';
import type { TerminalConfig } from '../../../config/schema/config.ts';
import { systemClock } from '../../../core/clock.ts';
import { examineDialled } from './dialled.ts';
import { examineHid } from './hid.ts';
import { examineSerial } from './serial.ts';
import { pcscdSocket } from '../../../readers/pcsc/pcsc-client.ts';
import { lookForReader } from '../../../readers/pcsc/pcsc.ts';
import { runProgramOf } from '../../program.ts';
import type { Step } from '../examination.ts';
import { askedOnce } from '../examination.ts';
import type { FleetLook } from '../fleet.ts';
import type { EngineSight } from '../../../fleet/engine/sight.ts';
import { lookerHere } from '../unit-access.ts';
import type { Io } from '../../io.ts';
import type { Status } from '../../status/schema.ts';

interface Readers {
  readonly terminal: TerminalConfig;
  readonly io: Io;
  /** The status from the running agent. */
  status(): Promise<Status | undefined>;
  /** Absent: no fleet. */
  readonly fleet: FleetLook | undefined;
}

export function examineReaders({ terminal: { id, readers }, io, status, fleet }: Readers): readonly Step[] {
  const looker = askedOnce(() => lookerHere(runProgramOf(io.env['PATH'])));
  return readers.map((reader) => ({
    what: `reader of ${id}`,
    kind: 'reader',
    scope: id,
    async examine(call) {
      const said = await status();
      const seenByAgent = said?.terminals.find((one) => one.id === id);
      const name = readerName(reader);
      const seen = seenByAgent?.readers.find((one) => one.name === name);
      const { reason, by } = seenByAgent?.outage ?? {};
      if (reason === 'elsewhere') return `${name} is closed here: ${by} serves the terminal`;
      if (reason === 'engine-away') return { waiting: `${name} is closed while the engine is away` };
      const isUp = seen?.state === 'up';
      const why = seen?.state === 'down' ? whyDown(said, { id, name }) : undefined;
      if (reader.type === 'hid') return had(await examineHid(reader, { isUp, looker }), why);
      if (reader.type === 'serial') return had(await examineSerial(reader, { isUp, looker }), why);
      if (isUp) return `${name} is connected to the running agent`;
      if (seen)
        throw new Error(`${name} is not connected to the running agent. Check the reader and its network`);
      if (reader.type === 'pcsc') {
        const wanted = { reader: reader.reader, socket: pcscdSocket(io.env), clock: systemClock };
        return `pcscd shows ${await lookForReader(wanted)}`;
      }
      if (reader.type === 'tcp-listen') {
        await listenOnce(reader.listen);
        return { waiting: `${name} can dial in when platen runs` };
      }
      const away = fleet && (await whyNotDialled(id, name, () => fleet(call)));
      return away ?? examineDialled(reader, fleet !== undefined);
    },
  }));
}

/** As the running agent tells it. */
const whyDown = (said: Status | undefined, { id, name }: Readonly<Record<'id' | 'name', string>>): string =>
  said?.conditions.find(({ scope, subject }) => scope === id && subject === name)?.detail ??
  'see "reader down" in the log of the agent';

/**
 * The right to read a device is not enough: another program can hold it, the agent may have no way to grab it, or the
 * unit of the agent may forbid it.
 */
function had(found: string, why: string | undefined): string {
  if (why === undefined) return found;
  throw new Error(`${found}, but the running agent does not use it: ${why}`);
}

/** Many readers drop a connection for a newer one. The next badge of another gateway would then be lost. */
async function whyNotDialled(
  terminal: string,
  name: string,
  look: () => Promise<EngineSight>,
): Promise<string | { waiting: string } | undefined> {
  const sight = await look().catch(() => undefined);
  if (!sight)
    return {
      waiting: `${name} was not tried, because the engine does not say which gateway serves the terminal`,
    };
  const holder = sight.holders.get(terminal);
  return holder === undefined ? undefined : `${name} was not tried, because ${holder} serves the terminal`;
}

type Place = ReaderOf<'tcp-listen'>['listen'];

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses this address. Stop it, or choose another port',
  EADDRNOTAVAIL: 'this machine does not have this address. Correct it',
  EACCES: 'this user may not listen there. Choose a port above 1023',
};

async function listenOnce(place: Place): Promise<void> {
  const server = createServer().listen(place);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    throw new Error(`${placeText(place)}: ${advice[code] ?? message}`, { cause });
  } finally {
    server.close();
  }
}
