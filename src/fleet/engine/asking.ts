/**
 * Statements in turn, for a line takes one at a time: each waits for its turn, and while there is no line for one,
 * until its own deadline. What was sent has less time: whoever is patient asks again on the next line, which may lead
 * to another host, and nobody behind waits longer than that for a line that is dead (F2).
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { seconds } from '../../core/duration.ts';
import { turnstile } from '../../core/turnstile.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { isOverWith, lastingRefusal, statementProblem } from './faults.ts';
import type { Line, Row, Statement } from './line.ts';

export interface AskOptions {
  readonly signal?: AbortSignal;
  readonly within: Duration;
}

/** A statement takes milliseconds. */
const answerLimit = seconds(3);

type Hearing = (statement: string, refusal: Problem | undefined) => void;

interface AskingDeps {
  readonly clock: Clock;
  readonly why: () => string;
  readonly heard: Hearing;
}

export class Asking {
  readonly #clock: Clock;
  /** Why there is no line. */
  readonly #why: () => string;
  /** Each statement that was answered (`undefined`), or refused for good. */
  readonly #heard: Hearing;
  readonly #turns = turnstile(1);
  readonly #closed = new AbortController();
  #line: Line | undefined;
  #next: PromiseWithResolvers<Line> | undefined;
  #askedAt = 0;

  constructor({ clock, why, heard }: AskingDeps) {
    this.#clock = clock;
    this.#heard = heard;
    this.#why = why;
  }

  /** Monotonic milliseconds of the latest statement. */
  get askedAt(): number {
    return this.#askedAt;
  }

  /** The line to ask on from now on. */
  use(line: Line | undefined): void {
    this.#line = line;
    if (!line) return;
    this.#askedAt = this.#clock.monotonic();
    this.#next?.resolve(line);
    this.#next = undefined;
  }

  /** Nothing is asked any more. */
  close(): void {
    this.#closed.abort(new Error('the engine is closed'));
  }

  async ask(
    statement: Statement,
    values: readonly unknown[],
    { signal, within }: AskOptions,
  ): Promise<readonly Row[]> {
    signal?.throwIfAborted();
    const answer = this.inTurn(this.#clock.deadline(within), { statement, signal }, (line, deadline) =>
      line.ask(statement, values, deadline),
    );
    // What was sent goes on: the line is not given up for one who has lost interest.
    return signal ? unlessAborted(answer, signal) : answer;
  }

  /** Rejects with a `Problem`. */
  async inTurn<T>(
    deadline: AbortSignal,
    {
      statement,
      signal,
    }: { readonly statement: Pick<Statement, 'name'>; readonly signal?: AbortSignal | undefined },
    deed: (line: Line, deadline: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const giveUp = AbortSignal.any([deadline, this.#closed.signal, ...(signal ? [signal] : [])]);
    using turn = await this.#turn(statement.name, giveUp);
    this.#askedAt = this.#clock.monotonic();
    try {
      const answer = await deed(turn.line, this.#clock.deadline(answerLimit, deadline));
      this.#heard(statement.name, undefined);
      return answer;
    } catch (error) {
      if (isOverWith(error)) turn.line[Symbol.dispose]();
      const refusal = lastingRefusal(error, statement.name, turn.line.place);
      if (refusal) this.#heard(statement.name, refusal);
      throw statementProblem(error, statement.name);
    }
  }

  async #turn(name: string, giveUp: AbortSignal): Promise<{ readonly line: Line } & Disposable> {
    using entered = new DisposableStack();
    try {
      entered.use(await this.#turns.enter({ signal: giveUp }));
      const line = this.#line?.isOver === false ? this.#line : await this.#nextLine(giveUp);
      const left = entered.move();
      return { line, [Symbol.dispose]: () => left.dispose() };
    } catch (cause) {
      const why = this.#line ? 'others were asked before it' : this.#why();
      throw new Problem('fleet-engine-away', `${name} was not asked: ${why}`, {
        cause,
        delivery: 'not-sent',
      });
    }
  }

  /** Whoever is in turn waits alone. */
  async #nextLine(giveUp: AbortSignal): Promise<Line> {
    giveUp.throwIfAborted();
    this.#next = Promise.withResolvers();
    return unlessAborted(this.#next.promise, giveUp);
  }
}

async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const leave = () => gone.reject(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([answer, gone.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
