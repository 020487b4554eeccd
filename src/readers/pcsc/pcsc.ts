/**
 * The card reader behind pcscd (`pcsc`). It watches one reader and recovers by itself after pcscd or the reader was
 * away. `pcsc-slot.ts` asks the cards; `pcsc-presence.ts` decides when a card is a badge.
 */
import type { Clock } from '../../core/clock.ts';
import { milliseconds, seconds } from '../../core/duration.ts';
import type { RetrySchedule } from '../../core/retry-schedule.ts';
import { waitBefore } from '../../core/retry-schedule.ts';
import type { Env } from '../../domain/env.ts';
import type { CardReader, CardReaderEvents } from '../../domain/ports/readers.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { namesReader } from '../../domain/terminal/smart-card-reader.ts';
import type { ReaderLink } from '../intake/reader-link.ts';
import { createReaderLink, keepTrying, rest } from '../intake/reader-link.ts';
import type { PcscClient } from './pcsc-client.ts';
import { connectToPcscd } from './pcsc-client.ts';
import type { ReaderState } from './pcsc-messages.ts';
import type { CardPresence } from './pcsc-presence.ts';
import { createCardPresence } from './pcsc-presence.ts';
import { createCardSlot } from './pcsc-slot.ts';

/** Kept short, because the person with a card stands there and waits. */
const reopening: RetrySchedule = { first: milliseconds(250), factor: 2, longest: seconds(2) };
/** The pause between two looks, for readers that change all the time. */
const calm = milliseconds(20);

interface PcscReaderDeps extends Pick<Env, 'clock' | 'log'> {
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

interface WantedReader {
  /** The socket on which pcscd listens. */
  readonly socket: string;
  /** The name of the reader, or a pattern with `*`. Without it, any reader fits. */
  readonly reader: string | undefined;
  readonly clock: Clock;
}

/**
 * One look at pcscd, for `platen check`: whether pcscd answers and shows the reader. It does not read any card. Gives
 * the name of the reader. Rejects with a reason in words.
 */
export async function lookForReader({ socket: path, reader, clock }: WantedReader): Promise<string> {
  using client = await connectToPcscd({ path, clock }, new AbortController().signal);
  const readers = await client.readers(milliseconds(0));
  return shown(readerAmong(readers, reader));
}

/** pcscd runs, but the reader cannot be read. */
class ReaderMissing extends Error {
  override readonly name = 'ReaderMissing';
}

/** Gives the first reader that fits. Throws `ReaderMissing` if there is none, or if pcscd cannot talk to it. */
function readerAmong(readers: readonly ReaderState[], pattern = '*'): ReaderState {
  const found = readers.find(({ name }) => namesReader(pattern, name));
  if (found === undefined) throw new ReaderMissing(missing(readers, pattern));
  if (found.slot === 'unknown') throw new ReaderMissing(`pcscd cannot talk to ${shown(found)}`);
  return found;
}

function missing(readers: readonly ReaderState[], pattern: string): string {
  if (readers.length === 0) return 'pcscd shows no reader; check its cable and its driver';
  return `pcscd shows no reader named ${pattern}, but ${readers.map(shown).join(', ')}`;
}

/** The device chooses its own name, so unprintable characters are replaced. */
const shown = ({ name }: ReaderState): string => name.replace(/[^\u0020-\u007e]/g, '?');
