/** Several printers at one screen: the state of each, the chosen one, and a printer that can be used instead. */
import type { NamedPrinterView } from '../../../domain/terminal/terminal-view.ts';
import type { Words } from '../languages/words.ts';
import { useWords } from '../languages/words.ts';
import type { ScreenProps } from '../screen.ts';
import { lampWords, printerWords } from '../../../phrases/printer-words.ts';
import { insteadWords } from '../../../phrases/printer-words.ts';
import { Icon } from './icon.tsx';

export function Printers({ frame: { printers, chosenPrinter }, send }: ScreenProps) {
  const words = useWords();
  if (!printers || chosenPrinter === undefined) return null;
  return (
    <div class="printers" role="group" aria-label={words.say('printAt')}>
      {printers.map((one) => (
        <button
          key={one.name}
          type="button"
          aria-pressed={one.name === chosenPrinter}
          onClick={() => void send({ command: 'printer', printer: one.name })}
        >
          <bdi>{one.name}</bdi>
          <small class={one.is?.lamp ?? ''}>{stateOf(one, words)}</small>
        </button>
      ))}
    </div>
  );
}

function stateOf({ is }: NamedPrinterView, words: Words): string {
  if (!is) return words.say('oneMoment');
  return printerWords(is, words)?.what ?? words.say(lampWords[is.lamp]);
}

/** One touch chooses that printer. */
export function UseInstead({ frame: { instead }, send }: ScreenProps) {
  const { say } = useWords();
  if (!instead) return null;
  const { printer } = instead;
  return (
    <button type="button" class="there" onClick={() => void send({ command: 'printer', printer })}>
      {say('useThat', { printer })}
    </button>
  );
}

/** Shown if nothing else tells the reason. */
export function Instead({ frame, send }: ScreenProps) {
  const { say } = useWords();
  const { instead } = frame;
  if (!instead) return null;
  return (
    <div class="notice neutral instead">
      <Icon name="printer" />
      <p>{say(insteadWords[instead.why], { printer: instead.printer })}</p>
      <UseInstead frame={frame} send={send} />
    </div>
  );
}
