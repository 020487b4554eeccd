/** Digits in the order of a telephone, for PINs, ID numbers and page numbers. */
import { useWords } from '../languages/words.ts';
import { Icon } from '../parts/icon.tsx';
import { KeyGrid } from './key-grid.tsx';
import { digits } from './key-layouts.ts';

export interface KeyboardProps {
  readonly onKey: (text: string) => void;
  readonly onErase: () => void;
}

interface NumberPadProps extends KeyboardProps {
  /** Signs between numbers. */
  readonly more?: readonly string[];
}

export function NumberPad({ onKey, onErase, more = [] }: NumberPadProps) {
  const { say } = useWords();
  return (
    <KeyGrid label={say('numberPad')} kind="digits">
      {[...digits.flat(), ...more].map((digit, place) => (
        <button
          key={digit}
          type="button"
          class="key"
          tabIndex={place === 0 ? 0 : -1}
          onClick={() => onKey(digit)}
        >
          {digit}
        </button>
      ))}
      <button type="button" class="key zero" tabIndex={-1} onClick={() => onKey('0')}>
        0
      </button>
      <button type="button" class="key" tabIndex={-1} aria-label={say('keyErase')} onClick={onErase}>
        <Icon name="erase" />
      </button>
    </KeyGrid>
  );
}
