/**
 * The name and the kind of a document, as separate texts. In a line of the other direction, the full stop and the
 * extension must stay on their sides (Unicode Standard Annex 9, isolates).
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
