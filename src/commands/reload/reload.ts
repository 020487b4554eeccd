/**
 * `platen reload`: the running agent reads its configuration again, as after SIGHUP, and the command waits for the
 * result. `systemctl reload platen` runs this command, so the reload fails if the file has a mistake.
 */
import { fstatSync } from 'node:fs';
import { z } from 'zod';
import { loadPart, statePart } from '../../config/part.ts';
import { ConfigInvalid } from '../../config/mistakes.ts';
import { outsideOf } from '../../config/outside.ts';
import { seconds } from '../../core/duration.ts';
import { callControl, notRunning } from '../control-call.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';

const outcome = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('reloaded'),
    changed: z.array(z.string()),
    pending: z.array(z.string()),
    restart: z.array(z.string()),
  }),
  z.object({ state: z.literal('refused'), mistakes: z.array(z.string()) }),
]);

/** The names of printers are looked up, and a reload that already runs comes first. */
const limit = seconds(60);

export async function reloadCommand({ config: file }: { config: string }, io: Io): Promise<number> {
  const answer = await askAgent(file, io);
  if (answer === undefined) {
    io.error(`platen: ${notRunning(file)}`);
    return exitCode.notRunning;
  }
  if (answer.state === 'refused') {
    if (!isJournal(io.env)) tellRefusal(answer.mistakes, io);
    return exitCode.configInvalid;
  }
  const { changed, pending, restart } = answer;
  const atOnce = changed.filter((key) => !restart.includes(key));
  io.out(
    [
      atOnce.length > 0
        ? `reloaded: ${atOnce.join(', ')}`
        : `reloaded. Nothing ${restart.length > 0 ? 'else ' : ''}has changed`,
      ...pending,
      ...(restart.length > 0 ? [`needs systemctl restart platen: ${restart.join(', ')}`] : []),
    ].join('\n'),
  );
  return exitCode.ok;
}

function tellRefusal(mistakes: readonly string[], io: Io): void {
  for (const mistake of mistakes) io.error(`platen: ${mistake}`);
  io.error(
    'platen: Not reloaded. The earlier configuration is still used. Correct the file, then reload again.',
  );
}

/** If standard error is the unit's journal (systemd.exec(5)), the agent's own log has the mistakes there already. */
function isJournal(env: Io['env']): boolean {
  // Windows has none, and may refuse the look.
  if (env['JOURNAL_STREAM'] === undefined) return false;
  const { dev, ino } = fstatSync(process.stderr.fd);
  return env['JOURNAL_STREAM'] === `${dev}:${ino}`;
}

/**
 * The changed file may have a wrong state directory, or one that counts only after a restart. So systemd's directory is
 * tried too.
 */
async function askAgent(file: string, io: Io): Promise<z.infer<typeof outcome> | undefined> {
  const usual = outsideOf('.', io.env).stateDirectory(undefined);
  for (const stateDir of new Set([...stateDirIn(file, io), usual])) {
    const answer = await callControl({ stateDir }, io, { method: 'POST', path: '/reload', limit });
    if (answer !== undefined) return outcome.parse(answer);
  }
  return undefined;
}

function stateDirIn(file: string, { env }: Io): readonly string[] {
  try {
    return [loadPart(file, env, statePart).part.stateDir];
  } catch (error) {
    if (error instanceof ConfigInvalid) return [];
    throw error;
  }
}
