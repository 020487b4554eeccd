/**
 * `platen check` for a reader that Platen connects to, while no agent runs. In a fleet the check connects a second time
 * while the first connection is open. A gateway that died leaves a half-open connection, and a reader that accepts only
 * one connection may then refuse the gateway that takes over (F11).
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { ReaderOf } from '../../../config/schema/reader.ts';
import { placeText } from '../../../config/schema/reader.ts';
import { systemClock } from '../../../core/clock.ts';
import { milliseconds } from '../../../core/duration.ts';
import { systemTrust } from '../../../printing/ipp/system-trust.ts';
import { dial, NotTheReader } from '../../../readers/tcp/tcp-connect.ts';

type DialledReader = ReaderOf<'tcp-connect'>;

/**
 * A reader that accepts no second connection closes it at once. Until then only the operating system may have accepted
 * it.
 */
const settles = milliseconds(500);

export async function examineDialled(reader: DialledReader, isInFleet: boolean): Promise<string> {
  const place = placeText(reader.address);
  using opened = new DisposableStack();
  let first: Socket;
  try {
    first = await dialOnce(reader);
    hold(first, opened);
  } catch (cause) {
    if (cause instanceof NotTheReader) throw cause;
    throw new Error(`${place} does not answer. Check the reader, its network and the address`, { cause });
  }
  const found = `${place} accepts connections${reader.tls ? ' over TLS, and its certificate is correct' : ''}`;
  if (!isInFleet) return found;
  const { isFirstLeft, isSecondTaken } = await another(reader, first, opened);
  if (isSecondTaken && isFirstLeft) return `${found}. It also accepts a second connection during the first`;
  return isSecondTaken
    ? `${found}. It closes the first connection for a second one, so another gateway can take over at once`
    : `${found}, but only one at a time. If a gateway dies, the next one may have to wait until the reader closes the old connection. Set the reader to close silent connections`;
}

async function another(reader: DialledReader, first: Socket, opened: DisposableStack) {
  const limit = systemClock.deadline(settles);
  const stays = (socket: Socket) =>
    once(socket, 'close', { signal: limit }).then(
      () => false,
      () => true,
    );
  const firstStays = stays(first);
  const second = await dialOnce(reader).catch(() => undefined);
  if (second) hold(second, opened);
  const isSecondTaken = second !== undefined && (await stays(second));
  return { isFirstLeft: await firstStays, isSecondTaken };
}

const dialOnce = ({ address, tls }: DialledReader): Promise<Socket> =>
  dial({ address, tls, trust: systemTrust(), clock: systemClock }, new AbortController().signal);

function hold(socket: Socket, opened: DisposableStack): void {
  socket.resume();
  opened.defer(() => socket.destroy());
}
