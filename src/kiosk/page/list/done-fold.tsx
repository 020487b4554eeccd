/** Finished documents in one row that opens. Only confirmed prints are called "printed" (I12). */
import type { ComponentChildren } from 'preact';
import type { DocumentProgress } from '../../../domain/terminal/terminal-view.ts';
import { useWords } from '../languages/words.ts';
import { tallyOf } from '../../../phrases/progress.ts';
import { Icon } from '../parts/icon.tsx';

interface DoneFoldProps {
  readonly done: readonly DocumentProgress[];
  /** There is nothing else in the list. */
  readonly isAlone: boolean;
  /** One row each. */
  readonly children: ComponentChildren;
}

/** A single finished row needs no more room than the fold. */
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
