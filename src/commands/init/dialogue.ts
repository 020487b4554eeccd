/**
 * Questions to the person at the terminal, one line each. Enter gives the answer in brackets. If an answer does not
 * fit, the question comes again with the reason. A secret is not shown while it is typed. Ctrl-C leaves.
 */
import { systemClock } from '../../core/clock.ts';
import { printable } from '../../core/text/printable.ts';
import { aborted } from '../../core/service.ts';
import { createKeyDecoder } from '../../prompt/keys.ts';
import { openTty } from '../../prompt/tty.ts';
import { CommandFailed } from '../failure.ts';

export interface QuestionOptions {
  /** The answer for Enter alone; absent: the person must answer. */
  readonly given?: string | undefined;
  readonly echo?: 'shown' | 'hidden';
  /** The reason why an answer does not fit. */
  check?(answer: string): string | undefined;
}

export interface Dialogue extends AsyncDisposable {
  say(text: string): void;
  /** Rejects `CommandFailed` when the person leaves. */
  ask(question: string, options?: QuestionOptions): Promise<string>;
  confirm(question: string, given: 'yes' | 'no'): Promise<boolean>;
}

/** For the terminal on which this program was started. */
export async function openDialogue({
  path = '/dev/tty',
  signal,
}: {
  readonly path?: string;
  readonly signal: AbortSignal;
}): Promise<Dialogue> {
  const typed = typedKeys();
  const tty = await openTty(path, { clock: systemClock, leaving: '', onBytes: typed.push });
  const stopped = aborted(signal).then(() => Promise.reject(new CommandFailed('stopped')));
  stopped.catch(() => {});
  // Keeps the order, even if a caller does not wait.
  let written = Promise.resolve();
  const write = (text: string) => {
    written = written.then(() => tty.write(text, { signal }));
    written.catch(() => {});
  };

  async function line(shown: string, echo: 'shown' | 'hidden'): Promise<string> {
    write(shown);
    const next = () => Promise.race([typed.next(), tty.gone, stopped]);
    const answer = await typedLine(next, (text, whole) => {
      // An erased character may have any width, so the whole line is written again.
      if (echo === 'shown') write(text === '' ? `\r\u001b[2K${shown}${whole}` : text);
    });
    write('\n');
    return answer.trim();
  }

  async function ask(question: string, options: QuestionOptions = {}): Promise<string> {
    const { given, echo = 'shown', check } = options;
    const hint = given === undefined || given === '' ? '' : ` [${printable(given)}]`;
    for (;;) {
      const answer = (await line(`${question}${hint}: `, echo)) || given;
      const objection = answer === undefined ? 'needs an answer' : check?.(answer);
      if (answer !== undefined && objection === undefined) return answer;
      write(`  ${printable(objection ?? '')}\n`);
    }
  }

  return {
    say: (text) => write(`${text}\n`),
    ask,
    async confirm(question, given) {
      const answer = await ask(`${question} (yes or no)`, {
        given,
        check: (text) => (/^(?:y|yes|n|no)$/i.test(text) ? undefined : 'yes or no'),
      });
      return /^y/i.test(answer);
    },
    async [Symbol.asyncDispose]() {
      await written.catch(() => {});
      await tty[Symbol.asyncDispose]();
    },
  };
}

type Keys = ReturnType<ReturnType<typeof createKeyDecoder>['push']>;

/** Reads up to Enter. `echo` gets the new text (empty if something was erased) and the whole answer so far. */
async function typedLine(
  next: () => Promise<Keys[number]>,
  echo: (text: string, whole: string) => void,
): Promise<string> {
  let answer = '';
  for (;;) {
    const key = await next();
    if (key.kind === 'escape') throw new CommandFailed('you stopped before the last question');
    if (key.kind === 'enter') return answer;
    const longer = key.kind === 'text' ? key.text : '';
    if (key.kind === 'backspace') answer = [...answer].slice(0, -1).join('');
    if (key.kind === 'erase-line') answer = '';
    answer += longer;
    echo(longer, answer);
  }
}

/** Keys that were typed too early wait for the next question. */
function typedKeys(): { push(bytes: Uint8Array): void; next(): Promise<Keys[number]> } {
  const decoder = createKeyDecoder();
  const waiting: Keys[number][] = [];
  let wake: (() => void) | undefined;
  return {
    push(bytes) {
      waiting.push(...decoder.push(bytes));
      wake?.();
    },
    async next() {
      for (;;) {
        const key = waiting.shift();
        if (key) return key;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
