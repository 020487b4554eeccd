/**
 * A document's name and its kind. Each is a text of its own: in a line of the other direction neither the full stop nor
 * the extension may change sides (Unicode Standard Annex 9, isolates).
 */
import { titleOf } from '../words/document-title.ts';
import { drawnText } from '../words/drawn-emoji.ts';

export function DocumentName({ name }: { readonly name: string }) {
  const { title, kind } = titleOf(name);
  return (
    <span class="called">
      <bdi class="name">{drawnText(title)}</bdi>
      {kind !== undefined && (
        <bdi class="kind" dir="ltr">
          {kind}
        </bdi>
      )}
    </span>
  );
}
