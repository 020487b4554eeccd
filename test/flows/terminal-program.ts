/** Platen at a terminal of its own, lent by script(1), where a person reads and types. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '../support/patience.ts';

export interface TerminalProgram extends AsyncDisposable {
  /** All that came out so far. */
  output(): string;
  /** Resolves when the text has come after what was answered last. */
  shows(text: string): Promise<void>;
  /** Waits for the question, and types the answer and Enter. */
  answer(question: string, text: string): Promise<void>;
  type(keys: string): void;
  readonly exited: Promise<unknown>;
}

const platen = join(process.cwd(), 'tools', 'platen.js');

/** `before`: a folder whose programs go before all others; `then`: what the same terminal is asked afterwards. */
export function startAtTerminal(
  args: readonly string[],
  { before, then }: { readonly before: string; readonly then: string },
): TerminalProgram {
  const command = [platen, ...args].join(' ');
  const script = spawn('script', ['-qfc', `trap : INT; ${command}; ${then}`, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: `${before}:${process.env['PATH']}`,
      HOME: process.env['HOME'],
      SHELL: '/bin/sh',
      TERM: 'xterm',
    },
  });
  let said = '';
  let answeredAt = 0;
  script.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  script.stdin.on('error', () => undefined);
  const exited = once(script, 'close');
  const shows = (text: string) =>
    eventually(() => {
      if (!said.slice(answeredAt).includes(text)) throw new Error(`"${text}" did not come:\n${said}`);
    });

  return {
    output: () => said,
    exited,
    shows,
    type: (keys) => void script.stdin.write(keys),
    async answer(question, text) {
      await shows(question);
      answeredAt = said.length;
      script.stdin.write(`${text}\r`);
    },
    async [Symbol.asyncDispose]() {
      if (script.exitCode === null) script.kill('SIGHUP');
      await exited;
    },
  };
}
