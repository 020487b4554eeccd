/**
 * Connects to the engine: tries the hosts in their order until one is a primary, has the settings of F1 and is of our
 * fleet (F2).
 */
import type { EngineAddress, EngineHost } from '../../config/engine-address.ts';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds, seconds } from '../../core/duration.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { EngineSettings } from './durability.ts';
import { requireDurable, settingsOf, settingsStatement } from './durability.ts';
import { connectProblem } from './faults.ts';
import type { Line } from './line.ts';
import { openLine } from './line.ts';

/** The facts of a server that may be the engine. */
export interface ServerFacts {
  /** `db1.example:5432` */
  readonly place: string;
  readonly settings: EngineSettings;
  readonly roundTrip: Duration;
  /** The difference of its clock to ours; nothing depends on it. */
  readonly clockAhead: Duration;
}

export interface Server {
  readonly line: Line;
  readonly facts: ServerFacts;
}

/** For the connection, and for each of the first questions. */
const connectLimit = seconds(3);

/**
 * `admit` makes further checks. Its problem ends the search, because it is about this gateway. Rejects with a
 * `Problem`, or the signal's reason.
 */
export async function connectAny<T>(
  { address, clock, signal }: { address: EngineAddress; clock: Clock; signal: AbortSignal },
  admit: (server: Server) => Promise<T>,
): Promise<T> {
  const problems: Problem[] = [];
  for (const host of address.hosts) {
    let line: Line | undefined;
    try {
      const server = await connectTo(address, host, { clock, signal });
      ({ line } = server);
      return await admit(server);
    } catch (error) {
      line?.[Symbol.dispose]();
      signal.throwIfAborted();
      const problem = connectProblem(error, `${host.name}:${host.port}`);
      if (!['fleet-engine-away', 'fleet-engine-refused'].includes(problem.code)) throw problem;
      problems.push(problem);
    }
  }
  throw together(problems);
}

async function connectTo(
  address: EngineAddress,
  host: EngineHost,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Server> {
  const line = await openLine(address, host, clock.deadline(connectLimit, signal));
  using opened = new DisposableStack();
  opened.use(line);
  const sent = { at: clock.monotonic(), wall: clock.now() };
  const [row] = await line.ask(settingsStatement, [], clock.deadline(connectLimit, signal));
  const roundTrip = milliseconds(clock.monotonic() - sent.at);
  const settings = settingsOf(row);
  requireDurable(settings, line.place);
  opened.move();
  const clockAhead = milliseconds(settings.now - sent.wall - roundTrip / 2);
  return { line, facts: { place: line.place, settings, roundTrip, clockAhead } };
}

/** One of the servers answers, and a person has to change something. */
export const isRefusal = (error: unknown): boolean =>
  isProblem(error, 'fleet-engine-refused') ||
  (isProblem(error) && isProblem(error.cause, 'fleet-engine-refused'));

/**
 * If one server refuses and another is away, the engine counts as away: that server may be the primary, and come back.
 */
function together(problems: readonly Problem[]): Problem {
  const [first, ...others] = problems;
  if (!first) throw new Error('an address without hosts');
  if (others.length === 0) return first;
  const code = problems.every((one) => one.code === first.code) ? first.code : 'fleet-engine-away';
  return new Problem(code, problems.map(({ message }) => message).join('; '), {
    cause: problems.find(isRefusal) ?? first,
    delivery: 'not-sent',
  });
}
