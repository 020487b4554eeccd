/**
 * Statements in turn, because a line takes one at a time. Each waits for its turn, and for a line if there is none,
 * until its own deadline.
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

/**
 * A statement takes milliseconds. After this limit the caller can ask again on the next line, which may lead to another
 * host. So the statements behind do not wait longer for a dead line (F2).
 */
const answerLimit = seconds(3);

type Hearing = (statement: string, refusal: Problem | undefined) => void;

interface AskingDeps {
  readonly clock: Clock;
  readonly why: () => string;
  readonly heard: Hearing;
}

export class Asking {
  readonly #clock: Clock;
  readonly #why: () => string;
  /** Called for each statement that was answered (`undefined`), or refused for good. */
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

  use(line: Line | undefined): void {
    this.#line = line;
    if (!line) return;
    this.#askedAt = this.#clock.monotonic();
    this.#next?.resolve(line);
    this.#next = undefined;
  }

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
    // The statement that was sent goes on: the line is not given up because one caller has lost interest.
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

  /** Only the statement in turn waits here, so one promise is enough. */
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
