/**
 * The card reader behind pcscd (`pcsc`). It watches one reader and recovers by itself after pcscd or the reader was
 * away. `pcsc-slot.ts` asks the cards; `pcsc-presence.ts` decides when a card is a badge.
 */
import { milliseconds, seconds } from '../../core/duration.ts';
import type { RetrySchedule } from '../../core/retry-schedule.ts';
import { waitBefore } from '../../core/retry-schedule.ts';
import type { Env } from '../../domain/env.ts';
import type { CardReader, CardReaderEvents } from '../../domain/ports/readers.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { PcscClient } from './pcsc-client.ts';
import { connectToPcscd } from './pcsc-client.ts';
import { ReaderMissing, readerAmong, shown } from './pcsc-look.ts';
import type { ReaderState } from './pcsc-messages.ts';
import type { CardPresence } from './pcsc-presence.ts';
import { createCardPresence } from './pcsc-presence.ts';
import { createCardSlot } from './pcsc-slot.ts';
import type { ReaderLink } from '../intake/reader-link.ts';
import { createReaderLink, keepTrying, rest } from '../intake/reader-link.ts';

/** Kept short, because the person with a card stands there and waits. */
const reopening: RetrySchedule = { first: milliseconds(250), factor: 2, longest: seconds(2) };
/** The pause between two looks, for readers that change all the time. */
const calm = milliseconds(20);

export interface PcscReaderDeps extends Pick<Env, 'clock' | 'log'> {
  readonly name: string;
  /** The socket on which pcscd listens. */
  readonly socket: string;
  /** The name of the reader, or a pattern with `*`. Without it, the first reader is used. */
  readonly reader: string | undefined;
  readonly events: CardReaderEvents;
}

export function openPcscReader(deps: PcscReaderDeps): CardReader {
  const { name, socket: path, clock } = deps;
  return {
    name,
    async run(signal) {
      const link = linkWithReasons(deps);
      const presence = createCardPresence(deps);
      const session = async (during: AbortSignal): Promise<void> => {
        using client = await connectToPcscd({ path, clock }, during);
        await watch({ ...deps, client, presence, link }, during);
      };
      const waitAfter = (failures: number) => waitBefore(failures, reopening);
      await keepTrying(session, { link, clock, waitAfter }, signal);
      presence.close();
    },
  };
}

/** The reason can change while the reader is down. Once pcscd runs again, the reader is the missing part, not pcscd. */
function linkWithReasons({ name, log, events }: PcscReaderDeps): ReaderLink {
  let reason: string | undefined;
  const onDown = (problem: Problem): void => {
    reason = problem.message;
    events.onDown(problem);
  };
  const link = createReaderLink({ name, log, events: { ...events, onDown } });
  return {
    up: link.up,
    hangs: link.hangs,
    down(cause) {
      link.down(cause);
      if (cause instanceof ReaderMissing && cause.message !== reason) {
        onDown(new Problem('reader-unavailable', cause.message, { cause }));
      }
    },
  };
}

interface Watching extends PcscReaderDeps {
  readonly client: PcscClient;
  readonly presence: CardPresence;
  readonly link: ReaderLink;
}

/** Resolves when the signal aborts. Rejects when pcscd goes. */
async function watch(watching: Watching, signal: AbortSignal): Promise<void> {
  const { name, client, clock, link, log } = watching;
  const slot = createCardSlot(watching);
  let watched: string | undefined;

  async function look(readers: readonly ReaderState[]): Promise<void> {
    const found = wanted(readers);
    if (found && found.name !== watched) log.info('reader found', { reader: name, device: shown(found) });
    watched = found?.name;
    if (found) await slot.look(found);
    else slot.lose();
  }

  function wanted(readers: readonly ReaderState[]): ReaderState | undefined {
    try {
      return readerAmong(readers, watching.reader);
    } catch (cause) {
      link.down(cause);
      return undefined;
    }
  }

  while (!signal.aborted) {
    await look(await client.readers(slot.quietFor()));
    await rest(calm, clock, signal);
  }
}
