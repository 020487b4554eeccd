/**
 * One conversation at the prompt, without the device: it takes keys and gives words and screens. A key counts only for
 * the screen that the person sees (I3). Typed text that was not sent is erased after 30 s without a key.
 */
import type { Clock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { PersonsWord } from '../domain/terminal/persons-word.ts';
import { isOffered } from '../domain/terminal/persons-word.ts';
import type { TerminalView, TerminalViewSource } from '../domain/terminal/terminal-view.ts';
import type { Dialogue } from './dialogue.ts';
import { beginDialogue, forget, forgetTyped, isAtRest, press, renew } from './dialogue.ts';
import type { Key } from './keys.ts';
import { createKeyDecoder, silence } from './keys.ts';
import type { Screen } from './screen.ts';
import { screenOf } from './screen.ts';
import { createWedge } from './wedge.ts';
import type { PromptWords } from './words.ts';

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

export interface Conversation extends Disposable {
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
