/**
 * `platen guest`: the running agent makes the guest. This command prints the slip itself, as it prints a test page. A
 * lost slip is as dangerous as its short id. So if it is not known that the slip came out, the guest is ended again.
 */
import { z } from 'zod';
import { loadConfig } from '../../config/load.ts';
import type { Config, TerminalConfig } from '../../config/schema/config.ts';
import { systemChance } from '../../core/chance.ts';
import { isoWithOffset, systemClock } from '../../core/clock.ts';
import type { Converter } from '../../domain/ports/printing.ts';
import { outcomeOf } from '../../domain/release.ts';
import { openConverter } from '../check/converter.ts';
import { callControl } from '../control-call.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { namedTerminal } from '../named-terminal.ts';
import type { OpenedPrinter } from '../opened-printer.ts';
import { addressUnknown, openPrinter } from '../opened-printer.ts';
import type { TestPageEnd } from '../test-page/test-page.ts';
import { printTestPage } from '../test-page/test-page.ts';
import { guestPatience, tellNotRunning } from './list.ts';
import { slipPdf } from './slip.ts';

export interface LetInOptions {
  readonly config: string;
  readonly hours: number;
  readonly pages?: number;
  readonly group?: string;
  /** The terminal that prints the slip. Absent: no slip. */
  readonly terminal?: string;
  readonly json?: boolean;
}

const answer = z.object({ userName: z.string(), shortId: z.string(), endsAt: z.number() });
type NewGuest = z.output<typeof answer>;

export async function letInCommand(options: LetInOptions, io: Io): Promise<number> {
  const config = loadConfig(options.config, io.env);
  if (options.terminal === undefined) {
    const guest = await askForGuest(config, options, io);
    if (!guest) return tellNotRunning(options.config, io);
    return tell({ guest, options }, io);
  }
  const terminal = namedTerminal(config.terminals, options.terminal);
  // Before the guest is made: without a printer there must be no guest.
  await using opened = await openPrinter({ config, terminal, io });
  if (!opened) throw new CommandFailed(`${terminal.id}: ${addressUnknown}`);
  await using converter = await openConverter(config);
  const guest = await askForGuest(config, options, io);
  if (!guest) return tellNotRunning(options.config, io);
  const end = await printSlip({ guest, options, opened, converter, terminal }, io);
  if (outcomeOf[end.state] !== 'completed') await endAgain({ guest, end, config, terminal }, io);
  return tell({ guest, options, printedAt: terminal.id }, io);
}

async function askForGuest(
  config: Config,
  { hours, pages, group }: LetInOptions,
  io: Io,
): Promise<NewGuest | undefined> {
  const body = { hours, pages, group };
  const said = await callControl(config, io, {
    method: 'POST',
    path: '/guests',
    body,
    limit: guestPatience,
  });
  return said === undefined ? undefined : answer.parse(said);
}

interface Slip {
  readonly guest: NewGuest;
  readonly options: LetInOptions;
  readonly opened: OpenedPrinter;
  readonly converter: Converter;
  readonly terminal: TerminalConfig;
}

function printSlip({ guest, options, opened, converter, terminal }: Slip, io: Io): Promise<TestPageEnd> {
  const pdf = slipPdf({ ...guest, until: dayAndTime(guest.endsAt), pages: options.pages });
  return printTestPage(
    { printer: opened.printer, pdf, terminal: terminal.id },
    { converter, clock: systemClock, chance: systemChance },
    { signal: io.stop },
  );
}

/** In local time: `2026-11-26 15:20`. */
const dayAndTime = (wall: number): string => isoWithOffset(wall).slice(0, 16).replace('T', ' ');

/** Does not abort, even if the person has stopped the command. */
const never = new AbortController().signal;

async function endAgain(
  {
    guest,
    end,
    config,
    terminal,
  }: Pick<Slip, 'guest' | 'terminal'> & { readonly end: TestPageEnd; readonly config: Config },
  io: Io,
): Promise<never> {
  const { state, problem } = end;
  const why = problem ? `: ${problem.message}. ${problem.advice}` : '';
  const slip =
    state === 'NOOUTPUT'
      ? `The slip was not printed at ${terminal.id}`
      : `It is not known whether the slip was printed at ${terminal.id}`;
  throw new CommandFailed(`${slip}${why}. ${await endingOf(guest, config, io)}`);
}

/** Whether the guest was ended, and what is left to do if this is not known. */
async function endingOf({ userName }: NewGuest, config: Config, { clock, caller }: Io): Promise<string> {
  const call = {
    method: 'POST',
    path: '/guests/end',
    body: { guest: userName },
    limit: guestPatience,
  } as const;
  const byHand = `platen guest end ${userName}`;
  try {
    const said = await callControl(config, { clock, stop: never, caller }, call);
    return said === undefined
      ? `${userName} can still print, because the agent is not running. Start it, then run: ${byHand}`
      : `The guest ${userName} was ended again, so the slip is not valid`;
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'the agent did not answer';
    return `${problem}. If platen guest list still shows ${userName}, run: ${byHand}`;
  }
}

function tell(
  {
    guest,
    options,
    printedAt,
  }: { readonly guest: NewGuest; readonly options: LetInOptions; readonly printedAt?: string },
  io: Io,
): number {
  const { userName, shortId, endsAt } = guest;
  const until = isoWithOffset(endsAt);
  // The short id is on the paper, so it must not be on a screen or in a log of the terminal.
  const facts = { guest: userName, until, ...(printedAt === undefined ? { shortId } : { printedAt }) };
  if (options.json) io.out(JSON.stringify(facts, undefined, 2));
  else if (printedAt === undefined) io.out(`${userName} may print until ${until}. ID number: ${shortId}`);
  else io.out(`${userName} may print until ${until}. The slip is at ${printedAt}`);
  return exitCode.ok;
}
