/** What is done, in one row that opens: "printed" counts what was confirmed, and nothing else (I12). */
import type { ComponentChildren } from 'preact';
import type { DocumentProgress } from '../../../domain/terminal/terminal-view.ts';
import { useWords } from '../languages/words.ts';
import { tallyOf } from '../../../phrases/progress.ts';
import { Icon } from '../parts/icon.tsx';

interface DoneFoldProps {
  readonly done: readonly DocumentProgress[];
  /** Nothing else is there to be seen. */
  readonly isAlone: boolean;
  /** A row each. */
  readonly children: ComponentChildren;
}

/** One row that is done takes no more room than a fold. */
const fromSoMany = 2;

export function DoneFold({ done, isAlone, children }: DoneFoldProps) {
  const { say } = useWords();
  if (isAlone || done.length < fromSoMany) return <>{children}</>;
  const { done: all, sent } = tallyOf(done);
  const printed = all - sent;
  const said = [
    printed > 0 ? say('printedN', { n: printed }) : undefined,
    sent > 0 ? say('sentN', { n: sent }) : undefined,
  ].filter((part) => part !== undefined);
  return (
    <li class="row fold">
      <details>
        <summary>
          <Icon name={sent > 0 ? 'sent' : 'check'} />
          <span>{said.join(' · ')}</span>
        </summary>
        <ul>{children}</ul>
      </details>
    </li>
  );
}
