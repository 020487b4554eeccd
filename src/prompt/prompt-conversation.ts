/**
 * One conversation at the prompt, without the device: it takes keys and gives words and screens. A key counts only for
 * the screen that the person sees (I3). Typed text that was not sent is erased after 30 s without a key.
 */
import type { Clock } from '../core/clock.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import type { PersonsWord } from '../domain/terminal/persons-word.ts';
import { isOffered } from '../domain/terminal/persons-word.ts';
import type { TerminalView, TerminalViewSource } from '../domain/terminal/terminal-view.ts';
import type { Dialogue } from './dialogue.ts';
import { beginDialogue, forget, forgetTyped, isAtRest, press, renew } from './dialogue.ts';
import type { Key } from './keys.ts';
import { createKeyDecoder, silence } from './keys.ts';
import type { Screen } from './prompt-screen.ts';
import { screenOf } from './prompt-screen.ts';
import type { PromptWords } from './prompt-words.ts';

/** The part of a terminal that a prompt needs. Each word carries the generation of the view that it answers. */
export interface PromptedTerminal {
  readonly id: string;
  readonly view: TerminalViewSource;
  tell(word: PersonsWord): void;
}

export interface ConversationDeps {
  readonly terminal: PromptedTerminal;
  readonly clock: Clock;
  readonly words: PromptWords;
  /** Set if a badge reader types into this prompt. */
  readonly onNumber?: ((text: string) => void) | undefined;
}

interface Conversation extends Disposable {
  push(bytes: Uint8Array): void;
  screen(): Screen;
  /** Call it when the screen has been drawn. */
  shown(screen: Screen): void;
}

const forgetAfter = seconds(30);

export function createConversation({
  terminal,
  clock,
  words,
  onNumber,
  ...world
}: ConversationDeps & { onChange(): void; onRedraw(): void }): Conversation {
  const decoder = createKeyDecoder();
  let dialogue = beginDialogue(terminal.view.current());
  let shown: number | undefined;
  let silenceTimer: unknown;
  let forgetTimer: unknown;

  const unhook = terminal.view.onChange(() => become(renew(dialogue, terminal.view.current())));
  const wedge = onNumber && createWedge({ clock, onKey, onNumber, isAwaited: () => isAtRest(dialogue) });

  function become(next: Dialogue): void {
    dialogue = next;
    world.onChange();
  }

  function onKeys(keys: readonly Key[]): void {
    if (wedge) wedge.push(keys);
    else for (const key of keys) onKey(key);
  }

  function onKey(key: Key): void {
    const view = terminal.view.current();
    if (view.generation !== shown) return;
    if (key.kind === 'redraw') return world.onRedraw();
    clock.clearTimeout(forgetTimer);
    forgetTimer = clock.setTimeout(() => become(forgetTyped(dialogue, terminal.view.current())), forgetAfter);
    const turn = press(dialogue, key, view);
    become(turn.dialogue);
    const { generation } = view;
    if (hasPerson(view)) terminal.tell({ type: 'still-there', generation });
    if (turn.words) say({ ...turn.words, generation }, view);
  }

  function say(word: PersonsWord, view: TerminalView): void {
    if (isOffered(word, view)) terminal.tell(word);
  }

  return {
    push(bytes) {
      clock.clearTimeout(silenceTimer);
      onKeys(decoder.push(bytes));
      if (decoder.isWithin()) silenceTimer = clock.setTimeout(() => onKeys(decoder.end()), silence);
    },
    screen: () => screenOf(terminal.view.current(), { dialogue, words }),
    shown: (screen) => {
      shown = screen.generation;
    },
    [Symbol.dispose]() {
      unhook();
      wedge?.close();
      clock.clearTimeout(silenceTimer);
      clock.clearTimeout(forgetTimer);
      forget(dialogue);
    },
  };
}

/** A person who types here is present. At the greeting, no person is known yet. */
const hasPerson = ({ asks, documents }: TerminalView): boolean =>
  asks !== undefined || documents !== undefined;

const fastest = milliseconds(30);
const shortestNumber = 4;
/** A longer run is a stuck key or a flood, not a badge. It is not held back (I8). */
const longestNumber = 256;

interface Wedge {
  push(keys: readonly Key[]): void;
  /** Drops the keys that are held back. */
  close(): void;
}

/**
 * Distinguishes a badge reader that types from a person: no person types four keys and Enter with less than 30 ms
 * between them. Keys are held back until this is clear. A start character would not help, because a password may
 * contain it.
 */
function createWedge(world: {
  readonly clock: Clock;
  onKey(key: Key): void;
  onNumber(text: string): void;
  /** Whether no line is begun, so that the keys can only be a badge. */
  isAwaited(): boolean;
}): Wedge {
  const { clock } = world;
  let run: Key[] = [];
  let timer: unknown;

  function release(): void {
    const held = run;
    run = [];
    for (const key of held) world.onKey(key);
  }

  return {
    push(keys) {
      clock.clearTimeout(timer);
      for (const key of keys) {
        run.push(key);
        if (run.length > longestNumber) release();
        if (key.kind !== 'enter') continue;
        const number = textOf(run.slice(0, -1));
        if (number === undefined || !world.isAwaited()) release();
        else {
          run = [];
          world.onNumber(number);
        }
      }
      if (run.length > 0) timer = clock.setTimeout(release, fastest);
    },
    close() {
      clock.clearTimeout(timer);
      run = [];
    },
  };
}

function textOf(keys: readonly Key[]): string | undefined {
  const text = keys.map((key) => (key.kind === 'text' ? key.text : undefined));
  return text.length >= shortestNumber && text.every((one) => one !== undefined) ? text.join('') : undefined;
}
