/**
 * Badges that are reported to the service instead of a login here (spec, Card reader): the state of `machine.ts`, and
 * the call. The service prints by itself. So a badge is relayed once and never again, whatever the result, and the call
 * goes on when the next badge is held. Nothing is kept for later: without the service the person is sent away (I9). The
 * call uses the device token, because no person has logged in.
 */
import { assign } from 'xstate';
import type { ReaderConfig } from '../config/schema/reader.ts';
import { readerName } from '../config/schema/reader.ts';
import { seconds } from '../core/duration.ts';
import type { Env } from '../domain/env.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { ReaderSignal } from '../domain/ports/readers.ts';
import type { CardRelay } from '../domain/ports/service.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { isUnsettled } from '../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../domain/problem/service-failure.ts';
import type { RelayOutcome } from '../domain/relay-outcome.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import { noticeOf, refusalNotice } from '../domain/terminal/notice.ts';
import { ignoredBecause } from '../domain/terminal/outage-words.ts';
import { perhapsRelayed, relayed } from '../domain/terminal/public-words.ts';
import type { TerminalViewSource } from '../domain/terminal/terminal-view.ts';
import type { TerminalInput } from './events.ts';
import { begins } from './login.ts';
import { terminalSetup } from './setup.ts';

export const relaying = terminalSetup.createStateConfig({
  entry: assign({ isRelayed: false }),
  on: {
    card: [{ guard: 'isWithdrawn', actions: 'tellCardIgnored' }, ...begins],
    'relay-ended': {
      guard: 'isShown',
      target: 'prompting',
      actions: assign(({ event }) => ({ notice: event.notice })),
    },
  },
  after: {
    patience: { actions: 'noteSlow' },
    callLimit: { target: 'prompting', actions: assign({ notice: perhapsRelayed }) },
  },
  exit: 'endCall',
});

/** A person stands there and waits. */
const callLimit = seconds(10);

export interface RelayingTerminal {
  tell(input: TerminalInput): void;
  readonly view: Pick<TerminalViewSource, 'current'>;
}

export interface BadgeRelayDeps extends Pick<Env, 'clock' | 'log'> {
  readonly readers: readonly ReaderConfig[];
  readonly terminal: RelayingTerminal;
  relay(): CardRelay;
  signal(signal: ReaderSignal, card: CardNumber): void;
  onOutcome(reader: string, outcome: RelayOutcome): void;
}

export class BadgeRelay implements Disposable {
  readonly #deps: BadgeRelayDeps;
  readonly #macs: ReadonlyMap<string, string>;
  readonly #over = new AbortController();

  constructor(deps: BadgeRelayDeps) {
    this.#deps = deps;
    this.#macs = new Map(
      deps.readers.flatMap((one) => ('relay' in one && one.relay ? [[readerName(one), one.relay.mac]] : [])),
    );
  }

  /** Whether badges of this reader are relayed. If they are, this badge is relayed now. */
  takes(reader: string, card: CardNumber): boolean {
    const mac = this.#macs.get(reader);
    if (mac !== undefined) void this.#relay(card, { reader, mac });
    return mac !== undefined;
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }

  async #relay(card: CardNumber, { reader, mac }: { reader: string; mac: string }): Promise<void> {
    const { terminal, clock, log } = this.#deps;
    terminal.tell({ type: 'card-relayed' });
    const { state, generation, outage } = terminal.view.current();
    if (state !== 'relaying') {
      log.warn('card ignored', { reader, ...ignoredBecause(outage) });
      return this.#deps.signal('refused', card);
    }
    const signal = clock.deadline(callLimit, this.#over.signal);
    const { outcome, notice, problem } = await settled(
      this.#deps.relay().release({ card, readerMac: mac }, { signal }),
    );
    if (problem) logFailure(log, 'card relayed', problem, { reader, outcome });
    else log.info('card relayed', { reader, outcome });
    this.#deps.onOutcome(reader, outcome);
    terminal.tell({ type: 'relay-ended', generation, notice });
    this.#deps.signal(outcome === 'taken' ? 'accepted' : 'refused', card);
  }
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

/** A refused card gets the same words everywhere. An absent service is no refusal of the card. */
const refusalOf = (problem: Problem): Notice =>
  problem.delivery === 'answered' && problem.status !== undefined ? refusalNotice : noticeOf(problem);
