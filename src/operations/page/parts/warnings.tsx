/** Warnings about the whole page: the engine is away, or this gateway. A screen reader reads changes out. */
import type { FleetAnswer } from '../../ui/answers.ts';
import { spanText } from '../plain-words.ts';
import type { Watched } from '../watching.ts';

export function Warnings({ fleet: { answer, last, age } }: { readonly fleet: Watched<FleetAnswer> }) {
  const problem = answer?.problem;
  return (
    <div role="status" class="warnings">
      {last === 'away' && (
        <p>
          <strong>This gateway does not answer.</strong> What you see is {spanText(age)} old.
        </p>
      )}
      {problem && (
        <p>
          <strong>The other gateways cannot be seen</strong>: {problem.detail}. {problem.advice}
        </p>
      )}
    </div>
  );
}
