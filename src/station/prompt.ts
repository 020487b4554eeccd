/** The prompt of one terminal, if the configuration names a TTY for it, and its state. */
import type { TerminalConfig } from '../config/schema/config.ts';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Service } from '../core/service.ts';
import { normaliseCard } from '../domain/card/card-number.ts';
import type { Conditions } from '../domain/condition.ts';
import type { CardRead } from '../domain/ports/readers.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { Terminal } from '../terminal/runner.ts';
import { createPrompt } from '../prompt/prompt.ts';
import { isStandardOutput } from '../prompt/tty.ts';
import { createDebounce } from '../readers/intake/debounce.ts';
import type { StationReaders } from './readers.ts';

export interface StationPrompt {
  readonly services: readonly Service[];
  /** A person can log in: at a reader, at the prompt, or on their own page. */
  canLogIn(readers: Pick<StationReaders, 'canRead'>): boolean;
  status(): { readonly tty: string; readonly state: 'up' | 'down' } | null;
}

export function openPrompt(
  { id, prompt, readers: ownReaders }: Pick<TerminalConfig, 'id' | 'prompt' | 'readers'>,
  world: {
    readonly terminal: Terminal;
    readonly conditions: Conditions;
    readonly clock: Clock;
    readonly chance: Chance;
    readonly log: Log;
    onCard(read: CardRead): void;
  },
): StationPrompt {
  if (!prompt) return { services: [], canLogIn: (readers) => readers.canRead(), status: () => null };
  const { terminal, conditions, clock, chance, log } = world;
  const { tty, wedge, language } = prompt;
  let state: 'up' | 'down' = 'down';
  const service = createPrompt({
    terminal,
    clock,
    chance,
    log,
    language,
    path: tty,
    onNumber: wedge ? typedCards(tty, world) : undefined,
    onUp() {
      state = 'up';
      conditions.clear(id, `prompt ${tty}`);
    },
    onDown({ code, message: detail }) {
      state = 'down';
      conditions.raise({ code, severity: 'error', scope: id, subject: `prompt ${tty}`, detail });
    },
  });
  return {
    services: [service],
    canLogIn: (readers) => state === 'up' || (ownReaders.length > 0 && readers.canRead()),
    status: () => ({ tty, state }),
  };
}

/** A badge from a reader that types counts as any other badge. Typed again and again, it still lies there. */
function typedCards(
  reader: string,
  { clock, log, onCard }: { readonly clock: Clock; readonly log: Log; onCard(read: CardRead): void },
): (text: string) => void {
  const debounce = createDebounce();
  return (text) => {
    const card = normaliseCard(text);
    if (!card || debounce.judge(card, clock.monotonic()) !== 'accepted') return;
    log.info('card read', { reader });
    onCard({ reader, card });
  };
}

/** Throws `config-invalid` if the log would be written into the screen of a prompt. */
export function refuseLogOnPrompt(terminals: readonly Pick<TerminalConfig, 'id' | 'prompt'>[]): void {
  const garbled = terminals.find(({ prompt }) => prompt && isStandardOutput(prompt.tty));
  if (!garbled) return;
  throw new Problem(
    'config-invalid',
    `the log goes to the TTY where ${garbled.id} prompts, and would disturb the prompt: ` +
      'send standard output elsewhere, for example platen run > platen.log',
  );
}
