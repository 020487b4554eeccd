/**
 * The prompt of one terminal on a TTY, for a keyboard without a kiosk page. It opens the device, shows the view, takes
 * the keys, and opens the device again when it goes.
 */
import { milliseconds, seconds } from '../core/duration.ts';
import { restOrWake, runPeriodically, Wake } from '../core/periodic.ts';
import type { RetrySchedule } from '../core/retry-schedule.ts';
import type { Service } from '../core/service.ts';
import { aborted } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import type { PromptLanguageCode } from '../domain/language.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { ConversationDeps } from './prompt-conversation.ts';
import { createConversation } from './prompt-conversation.ts';
import type { Screen } from './prompt-screen.ts';
import { openTty } from './tty.ts';
import { loadPromptWords } from './prompt-words.ts';

interface PromptDeps extends Omit<ConversationDeps, 'words'>, Pick<Env, 'chance' | 'log'> {
  readonly language: PromptLanguageCode;
  /** For example `/dev/tty2`. `/dev/tty` is the terminal on which the agent was started. */
  readonly path: string;
  onUp(): void;
  /** Called once per failure, and again only after the next `onUp`. */
  onDown(problem: Problem): void;
}

const reopening: RetrySchedule = { first: milliseconds(250), factor: 2, longest: seconds(2) };
/** The countdown on the screen changes every second. */
const longestStill = seconds(1);

export function createPrompt(deps: PromptDeps): Service {
  const { path, terminal, log } = deps;
  let state: 'unknown' | 'up' | 'down' = 'unknown';

  function up(): void {
    state = 'up';
    log.info('prompt up', { tty: path });
    deps.onUp();
  }

  function down(cause: unknown): void {
    const problem = new Problem('prompt-unavailable', `${path}: ${reasonOf(cause)}`, { cause });
    if (state === 'down') return log.debug('prompt still down', { tty: path, error: problem });
    state = 'down';
    log.warn('prompt down', { tty: path, error: problem });
    deps.onDown(problem);
  }

  return {
    name: `prompt of ${terminal.id}`,
    run: (signal) =>
      runPeriodically(
        {
          attempt: (during) => converse({ ...deps, onUp: up }, during),
          interval: reopening.first,
          retry: reopening,
          onFailure(error) {
            down(error);
            return undefined;
          },
        },
        deps,
        signal,
      ),
  };
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Resolves when the signal aborts. Rejects when the device cannot be opened or goes. */
async function converse(deps: PromptDeps, signal: AbortSignal): Promise<void> {
  const { path, clock, language } = deps;
  const words = await loadPromptWords(language);
  const changes = new Wake();
  let before: Screen | undefined;
  using conversation = createConversation({
    ...deps,
    words,
    onChange: () => changes.ring(),
    onRedraw() {
      before = undefined;
      changes.ring();
    },
  });
  await using tty = await openTty(path, {
    clock,
    leaving: leaveScreen,
    onBytes: (bytes) => conversation.push(bytes),
  });
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);

  async function show(): Promise<void> {
    await tty.write(enterScreen, { signal: until });
    deps.onUp();
    while (!until.aborted) {
      changes.answered();
      const screen = conversation.screen();
      const bytes = paint(screen, before);
      before = screen;
      await tty.write(bytes, { signal: until });
      conversation.shown(screen);
      await restOrWake(longestStill, { clock, wake: changes }, until);
    }
  }

  const showing = show();
  try {
    await Promise.race([showing, tty.gone, aborted(signal)]);
  } finally {
    over.abort();
    // Its error was already reported by the race above, or no longer matters.
    await showing.catch(() => {});
  }
}

const escape = '\u001b';

/** It also clears the scrollback, so that the next person cannot scroll back to the previous session. */
const clear = `${escape}[0m${escape}[2J${escape}[3J${escape}[H`;

/**
 * The alternate screen, without wrapping, and with marked pastes. The sequences are those of ECMA-48; `?1049`,
 * `?2004` and `3J` are as in xterm's ctlseqs.
 */
export const enterScreen = `${escape}[?1049h${escape}[?7l${escape}[?2004h${clear}`;
export const leaveScreen = `${clear}${escape}[?2004l${escape}[?7h${escape}[?25h${escape}[?1049l`;

/**
 * The sequences that turn `before` into the screen. Each line has a fixed row and never wraps, so a terminal that
 * measures columns differently garbles at most one line. Everything is cleared if the generation differs or if the
 * current content is unknown.
 */
export function paint(screen: Screen, before: Screen | undefined): string {
  const isClean = before?.generation !== screen.generation;
  const lines = screen.lines.flatMap((line, row) => {
    if (line === (isClean ? '' : before?.lines[row])) return [];
    return `${at(row, 0)}${escape}[2K${line}`;
  });
  const { cursor } = screen;
  const isCursorSame =
    lines.length === 0 &&
    !isClean &&
    cursor?.row === before?.cursor?.row &&
    cursor?.column === before?.cursor?.column;
  const tail = cursor ? `${at(cursor.row, cursor.column)}${escape}[?25h` : `${escape}[?25l`;
  return (isClean ? clear : '') + lines.join('') + (isCursorSame ? '' : tail);
}

const at = (row: number, column: number): string => `${escape}[${row + 1};${column + 1}H`;
