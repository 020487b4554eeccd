/** The keyboard on the screen: letters of the language, digits and symbols, capital letters. */
import { useState } from 'preact/hooks';
import { useWords } from '../languages/words.ts';
import { Icon } from '../parts/icon.tsx';
import { KeyGrid } from './key-grid.tsx';
import { areLatin, latin, lettersOf, symbols } from './key-layouts.ts';
import type { KeyboardProps } from './number-pad.tsx';

type Layer = 'letters' | 'latin' | 'symbols';

export function Keyboard({ onKey, onErase }: KeyboardProps) {
  const { say, language } = useWords();
  const letters = lettersOf(say('keyRows'));
  const isOther = !areLatin(letters);
  const [layer, setLayer] = useState<Layer>(isOther ? 'latin' : 'letters');
  const [isCapital, setCapital] = useState(false);
  const rows = { letters, latin, symbols }[layer];
  const shownAs = (key: string) =>
    isCapital && layer !== 'symbols' && key !== 'ß' ? key.toLocaleUpperCase(language.code) : key;
  const type = (key: string): void => {
    onKey(shownAs(key));
    setCapital(false);
  };
  return (
    <KeyGrid label={say('keyboard')} kind="letters">
      {rows.map((row, place) => (
        <div key={`${layer}${place}`} class="key-row">
          {place === 2 && layer !== 'symbols' && (layer === 'latin' || !isOther) && (
            <ShiftKey label={say('keyShift')} isOn={isCapital} onTurn={setCapital} />
          )}
          {row.map((key, column) => (
            <button
              key={key}
              type="button"
              class="key"
              tabIndex={place === 0 && column === 0 ? 0 : -1}
              onClick={() => type(key)}
            >
              {shownAs(key)}
            </button>
          ))}
          {place === 2 && (
            <button type="button" class="key" tabIndex={-1} aria-label={say('keyErase')} onClick={onErase}>
              <Icon name="erase" />
            </button>
          )}
        </div>
      ))}
      <div class="key-row">
        <LayerKey
          label={say(layer === 'symbols' ? 'keyLetters' : 'keySymbols')}
          shows={layer === 'symbols' ? 'abc' : '123'}
          onPress={() => setLayer(layer === 'symbols' ? (isOther ? 'latin' : 'letters') : 'symbols')}
        />
        {isOther && (
          <LayerKey
            label={say(layer === 'letters' ? 'keyLatin' : 'keyLetters')}
            shows={layer === 'letters' ? 'abc' : 'أبج'}
            onPress={() => setLayer(layer === 'letters' ? 'latin' : 'letters')}
          />
        )}
        <button type="button" class="key space" tabIndex={-1} onClick={() => onKey(' ')}>
          {say('keySpace')}
        </button>
      </div>
    </KeyGrid>
  );
}

interface ShiftKeyProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => void;
}

const ShiftKey = ({ label, isOn, onTurn }: ShiftKeyProps) => (
  <button
    type="button"
    class="key"
    tabIndex={-1}
    aria-label={label}
    aria-pressed={isOn}
    onClick={() => onTurn(!isOn)}
  >
    <Icon name="shift" />
  </button>
);

interface LayerKeyProps {
  readonly label: string;
  readonly shows: string;
  readonly onPress: () => void;
}

const LayerKey = ({ label, shows, onPress }: LayerKeyProps) => (
  <button type="button" class="key wide" tabIndex={-1} aria-label={`${shows} ${label}`} onClick={onPress}>
    {shows}
  </button>
);
