/**
 * The engine of a fleet: the PostgreSQL that all members share, as this member reaches it. Each deed is one statement
 * with a deadline on our clock. Without an answer the caller does not know whether it was done, and may send it again.
 */
import { Channel } from '../../core/channel.ts';
import type { EngineAddress } from '../../config/engine-address.ts';
import { isSameValue } from '../../config/changes.ts';
import { milliseconds, minutes, seconds } from '../../core/duration.ts';
import { restOrWake, Wake } from '../../core/periodic.ts';
import { waits } from '../../core/retry-schedule.ts';
import type { Service } from '../../core/service.ts';
import { createSparingLog } from '../../core/sparing-log.ts';
import type { Env } from '../../domain/env.ts';
import { asProblem, isProblem, Problem } from '../../domain/problem/problem.ts';
import type { Allegiance } from './allegiance.ts';
import type { AskOptions } from './asking.ts';
import { Asking } from './asking.ts';
import type { ServerFacts } from './connection.ts';
import { connectAny, isRefusal } from './connection.ts';
import { statementProblem } from './faults.ts';
import type { FleetKeys } from './fleet-keys.ts';
import { levels as allLevels } from './levels.ts';
import type { Level } from './levels.ts';
import type { Line, Row, Statement } from './line.ts';
import type { KeptBeat, Member } from './membership.ts';
import { createMembership, retiredChannel } from './membership.ts';
import { createNotices } from './notices.ts';
import { EngineWord, Refusals, Steadiness } from './word.ts';
import type { Fleet } from './engine-schema.ts';
import { joinFleet, schemaChannel } from './engine-schema.ts';
import { requireSame, tryTables } from './durability.ts';

export interface EngineFacts extends ServerFacts {
  readonly fleet: Fleet;
}

/** `since`: monotonic milliseconds of our clock. */
export type EngineState =
  | { readonly is: 'up'; readonly since: number; readonly facts: EngineFacts }
  | { readonly is: 'away'; readonly since: number; readonly problem: Problem };

export interface Engine extends AsyncDisposable {
  /**
   * Sends one statement, in turn; while the engine is away it waits. Rejects:
   * - with `fleet-engine-away` at the deadline (delivery `not-sent`), or when the line was lost or silent for 3 s after
   *   sending (`perhaps`: it may be asked again);
   * - with `fleet-engine-refused` if the server refuses it for good, or `internal` otherwise;
   * - with the signal's reason.
   */
  ask(statement: Statement, values: readonly unknown[], options: AskOptions): Promise<readonly Row[]>;
  state(): EngineState;
  /** Set while the engine is up, but refuses something that printing needs until a person changes it. */
  refusal(): Problem | undefined;
  onState(listener: (state: EngineState) => void): Disposable;
  /** The engine has answered this beat. If it does not know of the beat any more, it has forgotten something (F9). */
  beaten(at: string): void;
  /**
   * The row of this member on the roll is gone, or is an older one. The line is given up, because a member enters with
   * each new line.
   */
  enterAgain(): void;
  /**
   * The engine has another address or sign-in from the next connection on. If more than the password is new, that is at
   * once.
   */
  follow(address: EngineAddress): void;
  /** Hears NOTIFY of other members, best effort: notices sent while the engine is away are lost. */
  onNotice(channel: string, listener: (payload: string) => void): Disposable;
  /** Connects, tests an idle line, and connects again after a loss. */
  readonly service: Service;
}

export interface EngineDeps extends FleetKeys, Env {
  readonly address: EngineAddress;
  /**
   * Called if the server refuses us, or if its certificate is not accepted. The configuration and its files are read
   * again.
   */
  readonly addressAgain?: () => EngineAddress | undefined;
  /** Called before the first statement there. */
  readonly onAddress?: (address: EngineAddress) => void;
  readonly member: Member;
  readonly keptBeat: KeptBeat;
  readonly allegiance: Allegiance;
  readonly levels?: readonly Level[];
}

/** After the engine's return it has to be back within 5 s, which is this pause and the connection. */
const retry = { first: milliseconds(100), factor: 2, longest: seconds(1) };
/** An idle line is tested after `quiet`; the settings of the connect are read again after `readAgain` (F1). */
const quiet = seconds(5);
const readAgain = seconds(10);
const lookLimit = seconds(3);
const leaveLimit = seconds(1);
const longestTry = minutes(5);
const notYet = new Problem('fleet-engine-away', 'not connected yet', { delivery: 'not-sent' });

interface Up {
  readonly line: Line;
  readonly facts: EngineFacts;
  /** The LISTEN statements in force. */
  readonly channels: string;
}

export function createEngine(deps: EngineDeps): Engine {
  return new PostgresEngine(deps);
}

class PostgresEngine implements Engine {
  readonly #deps: EngineDeps;
  readonly #membership: ReturnType<typeof createMembership>;
  readonly #notices = createNotices();
  readonly #states = new Channel<EngineState>();
  readonly #asking: Asking;
  readonly #refusals: Refusals;
  readonly #word: EngineWord;
  readonly #steadiness: Steadiness;
  #address: EngineAddress;
  #up: Up | undefined;
  #state: EngineState;
  #isClosed = false;
  readonly #lost = new Wake();

  constructor(deps: EngineDeps) {
    const { log, clock } = deps;
    this.#deps = { ...deps, log: createSparingLog({ log, clock }) };
    this.#address = deps.address;
    this.#refusals = new Refusals(clock);
    this.#word = new EngineWord(this.#deps);
    this.#steadiness = new Steadiness(this.#deps);
    this.#membership = createMembership(deps.member, deps);
    this.#asking = new Asking({
      clock,
      why: () => (this.#state.is === 'away' ? this.#state.problem.message : 'the line was lost'),
      heard: (statement, refusal) => {
        if (this.#refusals.heard(statement, refusal)) this.#tellRefusal();
      },
    });
    this.#state = { is: 'away', since: clock.monotonic(), problem: notYet };
    this.#notices.add(schemaChannel, () => this.#up?.line[Symbol.dispose]());
    this.#notices.add(retiredChannel, (id) => id === deps.member.id && this.#up?.line[Symbol.dispose]());
  }

  readonly service: Service = {
    name: 'engine',
    run: async (signal, progress) => {
      for (let delays = waits(retry); !signal.aborted; ) {
        progress?.(longestTry);
        if (await this.#connect(signal)) {
          delays = waits(retry);
          await this.#keepUp(signal, () => progress?.(longestTry));
        }
        const wait = this.#deps.chance.jitter(delays.next().value);
        await restOrWake(wait, { clock: this.#deps.clock, wake: undefined }, signal);
      }
    },
  };

  state(): EngineState {
    return this.#state;
  }

  refusal(): Problem | undefined {
    return this.#refusals.current();
  }

  onState(listener: (state: EngineState) => void): Disposable {
    return { [Symbol.dispose]: this.#states.hear(listener) };
  }

  onNotice(channel: string, listener: (payload: string) => void): Disposable {
    const added = this.#notices.add(channel, listener);
    if (added.isNew && this.#up) void this.#listen();
    return added;
  }

  ask(statement: Statement, values: readonly unknown[], options: AskOptions): Promise<readonly Row[]> {
    return this.#asking.ask(statement, values, options);
  }

  beaten(at: string): void {
    this.#membership.beaten(at);
  }

  enterAgain(): void {
    this.#up?.line[Symbol.dispose]();
  }

  follow(address: EngineAddress): void {
    const before = this.#address;
    if (isSameValue(before, address)) return;
    const { onAddress, log } = this.#deps;
    log.info('engine address changed');
    onAddress?.(address);
    this.#address = address;
    // A changed password does not end an open line.
    if (!isSameValue({ ...before, password: address.password }, address)) this.#up?.line[Symbol.dispose]();
  }

  #readAddress(): void {
    try {
      const address = this.#deps.addressAgain?.();
      if (address) this.follow(address);
    } catch (error) {
      this.#deps.log.debug('engine address not read', {
        error: error instanceof Error ? error : undefined,
      });
    }
  }

  /** False, with a report, if it fails. */
  async #connect(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#deps;
    try {
      this.#rise(
        await connectAny({ address: this.#address, clock, signal }, (server) => this.#join(server, signal)),
      );
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      this.#fall(asProblem(error, 'internal', 'the engine could not be connected to'));
      if (isRefusal(error)) this.#readAddress();
      return false;
    }
  }

  async #join(
    { line, facts }: { readonly line: Line; readonly facts: ServerFacts },
    signal: AbortSignal,
  ): Promise<Up> {
    const { key, previousKey, levels = allLevels, allegiance, clock, chance } = this.#deps;
    const keys = { key, previousKey };
    const fleet = await joinFleet(line, { ...keys, levels, allegiance, chance, clock, signal });
    const deadline = clock.deadline(lookLimit, signal);
    await tryTables(line, deadline);
    await this.#membership.enter(line, Math.max(...levels.map(({ level }) => level)), deadline);
    this.#notices.attach(line);
    const channels = this.#notices.script();
    if (channels !== '') await line.run(channels, deadline);
    return { line, facts: { ...facts, fleet }, channels };
  }

  /** Resolves when the line is lost, or the signal aborts. */
  async #keepUp(signal: AbortSignal, progress: () => void): Promise<void> {
    const { clock } = this.#deps;
    let readAt = clock.monotonic();
    while (this.#up && !signal.aborted) {
      progress();
      await restOrWake(quiet, { clock, wake: this.#lost }, signal);
      this.#steadiness.look();
      const now = clock.monotonic();
      if (!this.#up || (now - readAt < readAgain && now - this.#asking.askedAt < quiet)) continue;
      readAt = now;
      await this.#readAgain(signal);
    }
  }

  /** Checks whether the server still is as at the connect. If the line ends, its loss reports that. */
  async #readAgain(signal: AbortSignal): Promise<void> {
    const { clock, key, previousKey, levels = allLevels, allegiance } = this.#deps;
    const belongsTo = allegiance.read()?.fleetId;
    const isRefused = this.#refusals.current() !== undefined;
    try {
      await this.#asking.inTurn(
        clock.deadline(lookLimit, signal),
        { statement: { name: 'engine looked at' }, signal },
        (line, deadline) => requireSame(line, { key, previousKey, levels, belongsTo, isRefused }, deadline),
      );
      if (isRefused && this.#refusals.forgetOld()) this.#tellRefusal();
    } catch (error) {
      if (!isProblem(error) || error.cause !== undefined || signal.aborted) return;
      const line = this.#up?.line;
      this.#up = undefined;
      this.#asking.use(undefined);
      line?.[Symbol.dispose]();
      this.#fall(error);
    }
  }

  #tellRefusal(): void {
    const problem = this.#refusals.current();
    if (problem) this.#word.away(problem);
    else if (this.#up) this.#word.up(this.#up.facts);
  }

  async #listen(): Promise<void> {
    const { clock } = this.#deps;
    // If the line is lost in the meantime, the next line listens from its beginning.
    await this.#asking
      .inTurn(clock.deadline(lookLimit), { statement: { name: 'listen' } }, (line, deadline) =>
        line.run(this.#notices.script(), deadline),
      )
      .catch(() => {});
  }

  #rise(up: Up): void {
    const { facts, line } = up;
    this.#refusals.clear();
    this.#up = up;
    this.#asking.use(line);
    if (up.channels !== this.#notices.script()) void this.#listen();
    void line.lost.then((error) => this.#lose(line, error));
    this.#word.up(facts);
    this.#tell({ is: 'up', since: this.#deps.clock.monotonic(), facts });
  }

  #lose(line: Line, error: Error): void {
    if (this.#up?.line !== line) return;
    this.#up = undefined;
    this.#asking.use(undefined);
    if (!this.#isClosed) {
      this.#steadiness.lost();
      this.#fall(asProblem(statementProblem(error, 'the line'), 'internal', 'the line was lost'));
    }
    this.#lost.ring();
  }

  #fall(problem: Problem): void {
    const since = this.#state.is === 'away' ? this.#state.since : this.#deps.clock.monotonic();
    this.#refusals.clear();
    this.#word.away(problem);
    this.#tell({ is: 'away', since, problem });
  }

  #tell(state: EngineState): void {
    this.#state = state;
    this.#states.tell(state);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { clock } = this.#deps;
    this.#membership.keep();
    const line = this.#up?.line;
    if (line) {
      // If the member cannot say that it leaves, the others notice the end of its beats.
      await this.#asking
        .inTurn(clock.deadline(leaveLimit), { statement: { name: 'leave' } }, (now, deadline) =>
          this.#membership.leave(now, deadline),
        )
        .catch(() => {});
    }
    this.#isClosed = true;
    this.#asking.close();
    line?.[Symbol.dispose]();
  }
}
