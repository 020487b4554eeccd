/** The languages, each in its own name. The present one is pressed. */
import type { LanguageCode } from '../../../domain/language.ts';
import { languagesOf, useLook } from '../look.ts';
import { useWords } from '../languages/words.ts';

export function LanguageChoice({ onChoice }: { readonly onChoice: (code: LanguageCode) => void }) {
  const { language, say } = useWords();
  const offered = languagesOf(useLook());
  if (offered.length === 1) return null;
  return (
    <div class="languages" role="group" aria-label={say('language')}>
      {offered.map(({ code, name, direction }) => (
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
