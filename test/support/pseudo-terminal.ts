/**
 * A terminal with a keyboard, made by script(1) of util-linux: cooked and echoing, as getty leaves it, until somebody
 * opens `path` and sets it otherwise. What comes out is kept as bytes and as a screen.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { VtScreen } from './vt-screen.ts';
import { createVtScreen } from './vt-screen.ts';
import { eventually } from './patience.ts';

export interface PseudoTerminal extends AsyncDisposable {
  /** `/dev/pts/3` */
  readonly path: string;
  readonly screen: VtScreen;
  /** All that came out so far. */
  output(): string;
  type(keys: string): void;
  /** Resolves when the screen shows the text; waits up to 10 s. */
  shows(text: string): Promise<void>;
  /** As stty(1) tells it: `echo` or `-echo`, `icanon` or `-icanon`. */
  modes(): readonly string[];
  /** Takes nothing any more, as a console that was stopped with Scroll Lock; for good. */
  stop(): void;
}

/** `screen`: what is made of the bytes; else as much of a terminal as the prompt uses, and nothing more. */
export async function openPseudoTerminal(screen: VtScreen = createVtScreen()): Promise<PseudoTerminal> {
  const script = spawn('script', ['-qfc', 'tty && exec cat <&3 >/dev/null', '/dev/null'], {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', TERM: 'linux' },
  });
  const ended = once(script, 'close');
  const { stdin, stdout } = script;
  const hold = script.stdio[3];
  if (!stdin || !stdout || !hold) throw new Error('script(1) was started without pipes');
  stdin.on('error', () => undefined);
  let said = '';
  let path: string | undefined;
  stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (path !== undefined) return screen.write(text);
    const [line, name] = /^(\/dev\/\S+)\r?\n/m.exec(said) ?? [];
    if (line === undefined) return;
    path = name;
    said = said.slice(said.indexOf(line) + line.length);
    screen.write(said);
  });
  const opened = await eventually(() => {
    if (path === undefined) throw new Error('script(1) gives no pseudo-terminal');
    return path;
  });

  return {
    path: opened,
    screen,
    output: () => said,
    type: (keys) => void stdin.write(keys),
    shows: (text) =>
      eventually(() => {
        if (!screen.text().includes(text))
          throw new Error(`"${text}" is not on the screen:\n${screen.text()}`);
      }),
    modes: () => execFileSync('stty', ['-F', opened, '-a'], { encoding: 'utf8' }).split(/[\s;]+/),
    stop: () => void script.kill('SIGSTOP'),
    async [Symbol.asyncDispose]() {
      script.kill('SIGCONT');
      hold.destroy();
      await ended;
    },
  };
}
