/**
 * Badges that the service is told of instead of a login here (spec, Card reader): it prints by itself, so a badge is
 * relayed once and never again, whatever becomes of the call. Nothing is kept for later: without the service the person
 * is sent away (I9). The call goes with the device token, for nobody has logged in.
 */
import type { ReaderConfig } from '../config/schema/reader.ts';
import { readerName } from '../config/schema/reader.ts';
import type { Clock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { CardRelay } from '../domain/ports/service.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import { noticeOf, refusalNotice } from '../domain/terminal/notice.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { isUnsettled } from '../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../domain/problem/service-failure.ts';
import type { RelayOutcome } from '../domain/relay-outcome.ts';
import { perhapsRelayed, relayed } from '../terminal/notices.ts';
import type { Terminal } from '../terminal/runner.ts';
import type { StationSignals } from './signals.ts';

/** A person stands there and waits. */
const callLimit = seconds(10);

export interface StationRelay extends Disposable {
  /** Whether badges of this reader are relayed; then this one is. */
  takes(reader: string, card: CardNumber): boolean;
}

export function createStationRelay(world: {
  readonly readers: readonly ReaderConfig[];
  readonly terminal: Pick<Terminal, 'cardRelayed' | 'relayEnded'>;
  relay(): CardRelay;
  readonly signals: Pick<StationSignals, 'tell'>;
  onOutcome(reader: string, outcome: RelayOutcome): void;
  readonly clock: Clock;
  readonly log: Log;
}): StationRelay {
  const { terminal, signals, clock, log } = world;
  const macs = new Map(
    world.readers.flatMap((one) => ('relay' in one && one.relay ? [[readerName(one), one.relay.mac]] : [])),
  );
  const over = new AbortController();

  async function relay(card: CardNumber, { reader, mac }: { reader: string; mac: string }): Promise<void> {
    const generation = terminal.cardRelayed();
    if (generation === undefined) {
      log.warn('card ignored', { reader, code: 'terminal-not-authorized' });
      return signals.tell('refused', card);
    }
    const { outcome, notice, problem } = await settled(
      world.relay().release({ card, readerMac: mac }, { signal: clock.deadline(callLimit, over.signal) }),
    );
    if (problem) logFailure(log, 'card relayed', problem, { reader, outcome });
    else log.info('card relayed', { reader, outcome });
    world.onOutcome(reader, outcome);
    terminal.relayEnded({ generation, notice });
    signals.tell(outcome === 'taken' ? 'accepted' : 'refused', card);
  }

  return {
    takes(reader, card) {
      const mac = macs.get(reader);
      if (mac !== undefined) void relay(card, { reader, mac });
      return mac !== undefined;
    },
    [Symbol.dispose]: () => over.abort(),
  };
}

interface Settled {
  readonly outcome: RelayOutcome;
  readonly notice: Notice;
  readonly problem?: Problem;
}

async function settled(call: Promise<void>): Promise<Settled> {
  try {
    await call;
    return { outcome: 'taken', notice: relayed };
  } catch (error) {
    const problem = serviceFailure(error);
    return isUnsettled(error)
      ? { outcome: 'unknown', notice: perhapsRelayed, problem }
      : { outcome: 'refused', notice: refusalOf(problem), problem };
  }
}

/** A refused card is refused with the same words everywhere; that the service is away is no refusal of the card. */
const refusalOf = (problem: Problem): Notice =>
  problem.delivery === 'answered' && problem.status !== undefined ? refusalNotice : noticeOf(problem);
