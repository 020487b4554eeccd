/** Nobody can be served: why, what to do instead, and a short code that finds the reason in the log. */
import { headlineOf } from '../headline.ts';
import { useWords } from '../languages/words.ts';
import { Icon } from '../parts/icon.tsx';
import { NoticeLine } from '../parts/notice-line.tsx';
import type { ScreenProps } from '../screen.ts';
import { useEntryFocus } from '../screen.ts';

export function OutOfService({ frame }: ScreenProps) {
  const words = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  return (
    <main class="centered">
      <Icon name="closed" size="large" />
      <h1 ref={heading} tabIndex={-1} class="huge">
        {headlineOf(frame, words)}
      </h1>
      {frame.state !== 'stopped' && <p class="hint">{words.say('useAnother')}</p>}
      <NoticeLine frame={frame} />
      {frame.outage && <p class="reference">{words.say('reference', { code: frame.outage.reference })}</p>}
    </main>
  );
}
