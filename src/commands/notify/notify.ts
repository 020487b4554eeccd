/** `platen notify test`: sends one message to each receiver in the configuration, and tells the results. */
import { postingFor, tellerOf } from '../../agent/notifying.ts';
import { authorities } from '../../cloud/http/dispatcher.ts';
import { loadConfig } from '../../config/load.ts';
import { systemChance } from '../../core/chance.ts';
import { systemClock } from '../../core/clock.ts';
import { printableWhole } from '../../core/text/printable.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { testMessage, waysOf } from '../../notify/notifier.ts';
import { callLimit } from '../../notify/way.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';

interface NotifyTest {
  readonly config: string;
  readonly json?: boolean;
}

interface Attempt {
  readonly way: string;
  readonly taken: boolean;
  /** The reason of a failure. */
  readonly detail?: string;
}

export async function testNotify({ config: file, json }: NotifyTest, io: Io): Promise<number> {
  const config = loadConfig(file, io.env);
  const { notify } = config;
  if (!notify) throw new CommandFailed(`${file} has no notify, so Platen sends no messages about conditions`);
  const clock = systemClock;
  const from = tellerOf(config);
  await using posting = postingFor(notify, clock);
  const { messages, alerts } = waysOf(notify, { from, posting, authorities, clock });
  const call = { signal: clock.deadline(callLimit, io.stop) };
  const message = testMessage(from, { clock, chance: systemChance });
  const attempts = await Promise.all([
    ...messages.map((way) => attempt(way.name, (options) => way.tell(message, options), call)),
    ...alerts.map((way) => attempt(way.name, (options) => way.test(options), call)),
  ]);
  if (json) io.out(JSON.stringify(attempts, undefined, 2));
  else for (const one of attempts) io.out(lineOf(one));
  return attempts.every(({ taken }) => taken) ? exitCode.ok : exitCode.failed;
}

async function attempt(
  way: string,
  send: (call: CallOptions) => Promise<void>,
  call: CallOptions,
): Promise<Attempt> {
  try {
    await send(call);
    return { way, taken: true };
  } catch (error) {
    return { way, taken: false, detail: printableWhole((error as Error).message) };
  }
}

const lineOf = ({ way, taken, detail = '' }: Attempt): string =>
  taken ? `ok    ${way}: accepted the test message` : `FAIL  ${way}: ${detail}`;
