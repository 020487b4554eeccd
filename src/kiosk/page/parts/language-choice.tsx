/** The languages, each in its own name; the one that is shown is pressed. */
import type { LanguageCode } from '../languages/language.ts';
import { languages } from '../languages/language.ts';
import { useWords } from '../languages/words.ts';

export function LanguageChoice({ onChoice }: { readonly onChoice: (code: LanguageCode) => void }) {
  const { language, say } = useWords();
  return (
    <div class="languages" role="group" aria-label={say('language')}>
      {languages.map(({ code, name, direction }) => (
        <button
          key={code}
          type="button"
          class="quiet"
          lang={code}
          dir={direction}
          aria-pressed={code === language.code}
          onClick={() => onChoice(code)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
