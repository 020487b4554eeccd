/**
 * The second half of `platen init`: an agent runs, the device is approved, the terminals are ready, and a test page is
 * printed. Then it tells the next steps.
 */
import type { Duration } from '../../core/duration.ts';
import { printable } from '../../core/text/printable.ts';
import { aborted } from '../../core/service.ts';
import { openDialogue } from './dialogue.ts';
import { followToReady } from './follow.ts';
import { startPlaten } from '../platen-process.ts';
import type { AgentKeeper, ServiceDeps } from './service/service.ts';
import { keepAgent, prepareService } from './service/service.ts';
import { noteDeed } from '../deed.ts';
import { exitCode } from '../io.ts';
import { becomeServiceUser } from '../service-user.ts';

/** A run that changes nothing prints no page. */
export interface Finish extends ServiceDeps {
  readonly isInteractive: boolean;
  /** Keys of the configuration. */
  readonly changed: readonly string[];
  readonly terminals: readonly string[];
  readonly testPage: boolean | undefined;
  readonly limit: Duration | undefined;
}

/** The exit code. */
export async function registerAndPrint(finish: Finish): Promise<number> {
  const { file, config, terminals, limit, io } = finish;
  const service = await prepareService(finish);
  becomeServiceUser();
  await using agent = await keepAgent(finish, service);
  // Noted as soon as an agent answers, because the person may leave at any time during the wait for the approval.
  let isNoted = !finish.isChanged;
  const onAnswer = async () => {
    if (isNoted) return;
    isNoted = true;
    await noteDeed(config, io, { action: 'init', changed: finish.changed });
  };
  const followed = await followToReady({
    config,
    terminals,
    limit,
    ended: () => agent.ended(),
    onAnswer,
    io,
  });
  await onAnswer();
  switch (followed.end) {
    case 'ready':
      break;
    case 'agent-ended':
      io.error(`platen: the agent ended: ${agent.kind === 'here' ? 'see above' : 'journalctl -u platen'}`);
      return followed.code === 0 ? exitCode.failed : followed.code;
    case 'refused':
      io.error(`platen: ${printable(followed.why)}. Correct it, then run this command again`);
      return exitCode.failed;
    default:
      io.error(`platen: The configuration was written. Still waiting for ${printable(followed.for)}`);
      io.error(
        `platen: Run this again to continue${agent.kind === 'here' ? '' : '. The agent continues automatically'}`,
      );
      return exitCode.notYet;
  }
  io.out(`Ready: ${terminals.join(', ')}`);
  const isOut = await printTestPages(finish);
  for (const line of nextSteps(agent, file)) io.out(line);
  return isOut ? exitCode.ok : exitCode.failed;
}

/** False if a wanted page did not come out, or if that is not certain. */
async function printTestPages(finish: Finish): Promise<boolean> {
  const { file, terminals, io } = finish;
  let isOut = true;
  for (const id of terminals) {
    if (!(await isWanted(id, finish))) continue;
    const args = ['check', '-c', file, '--print-test-page', id];
    await using check = startPlaten(args, { io, onLine: io.out });
    await Promise.race([check.closed, aborted(io.stop)]);
    if (check.exitCode() !== exitCode.ok) isOut = false;
  }
  return isOut;
}

async function isWanted(
  id: string,
  { isChanged, isInteractive, testPage, file, io }: Finish,
): Promise<boolean> {
  if (testPage === true && !isChanged) {
    io.out(
      `No test page was printed, because nothing was changed. To print one: platen check -c ${file} --print-test-page ${id}`,
    );
    return false;
  }
  if (testPage !== undefined || !isInteractive) return testPage === true;
  await using dialogue = await openDialogue({ signal: io.stop });
  return await dialogue.confirm(`Print a test page at ${id}?`, 'yes');
}

const nextSteps = ({ kind }: AgentKeeper, file: string): readonly string[] => [
  ...(kind === 'here'
    ? [
        `The agent stops now, with this command. To start it again: systemctl enable --now platen, or platen run -c ${file}`,
      ]
    : []),
  `${kind === 'here' ? 'When it runs' : 'Next'}, hold a card to the reader. platen status -c ${file} shows the state of the terminal.`,
];
