/**
 * `platen releases settle`: an administrator has looked at the printer, and tells the running agent which prints came
 * out.
 */
import { z } from 'zod';
import { printable } from '../../core/text/printable.ts';
import { shortReleaseId } from '../../domain/release.ts';
import { openReleaseRegister } from '../../store/ledger/release-register.ts';
import { booksPlace } from '../config-part.ts';
import { callControl, notRunning } from '../control-call.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { counted } from '../../core/text/counted.ts';
import { idIn } from '../../domain/terminal/screen-code.ts';

const answerShape = z.object({ settled: z.array(z.string()), left: z.array(z.string()) });

export async function settleReleases(
  options: {
    readonly config: string;
    readonly codes: readonly string[];
    readonly cameOut?: boolean;
    readonly didNotComeOut?: boolean;
  },
  io: Io,
): Promise<number> {
  const { config: file, codes, cameOut, didNotComeOut } = options;
  if (cameOut !== true && didNotComeOut !== true) {
    throw new CommandFailed('say what you saw: --came-out, or --did-not-come-out');
  }
  const config = booksPlace(file, io);
  const releaseIds = wholeIds(config.stateDir, codes);
  const word = cameOut === true ? 'came-out' : 'did-not-come-out';
  const answer = await callControl(config, io, {
    method: 'POST',
    path: '/unsettled',
    body: { releaseIds, word },
  });
  if (answer === undefined) throw new CommandFailed(notRunning(file));
  const { settled, left } = answerShape.parse(answer);
  if (settled.length > 0) io.out(`${counted(settled.length, 'release')} settled.`);
  for (const id of left) io.error(`platen: release ${shortReleaseId(id)} does not wait for a word`);
  return left.length === 0 ? exitCode.ok : exitCode.failed;
}

/** If one id is unknown, the agent is told nothing. */
function wholeIds(stateDir: string, codes: readonly string[]): readonly string[] {
  using register = openReleaseRegister({ stateDir });
  return codes.map((code) => {
    const found = idIn(code) === '' ? undefined : register.find(idIn(code));
    if (found) return found.row.releaseId;
    throw new CommandFailed(
      `no single release has an id that begins with ${printable(code)}. See platen releases list --outcome unknown`,
    );
  });
}
