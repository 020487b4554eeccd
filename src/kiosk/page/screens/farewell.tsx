/** The goodbye, with pages or without. It has nothing of the person any more, and disappears soon. */
import { useEffect, useState } from 'preact/hooks';
import type { Frame } from '../../frame.ts';
import { every } from '../../../listener/page/clock.ts';
import { useWords } from '../languages/words.ts';
import type { Leave } from '../words/line.ts';
import { leaveWords } from '../words/line.ts';
import { Icon } from '../parts/icon.tsx';
import { NoticeLine } from '../parts/notice-line.tsx';
import { useEntryFocus } from '../screen.ts';

/** How long it is shown, unless the next person comes first. */
export const farewellSeconds = 4;

interface FarewellProps {
  readonly leave: Leave;
  readonly hasStick: boolean;
  readonly frame: Frame;
}

export function Farewell({ leave, hasStick, frame }: FarewellProps) {
  const { say } = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  return (
    <main class="centered farewell">
      {leave !== 'not-all' && leave !== 'pages-coming' && <Icon name="check" size="large" />}
      <h1 ref={heading} tabIndex={-1} class="huge">
        {say('goodbye')}
      </h1>
      {leave === 'not-all' ? <NoticeLine frame={frame} /> : <p class="hint">{say(leaveWords[leave])}</p>}
      {hasStick && <p class="notice neutral">{say('takeStick')}</p>}
      <CountDown />
    </main>
  );
}

/** For the eye alone: it asks for nothing. */
function CountDown() {
  const [left, setLeft] = useState(farewellSeconds);
  useEffect(() => every(1_000, () => setLeft((seconds) => Math.max(1, seconds - 1))), []);
  return (
    <svg class="count-down" viewBox="-20 -20 40 40" aria-hidden="true">
      <circle r="17" />
      <path d={arcOf(left / farewellSeconds)} />
      <text dy=".36em">{left}</text>
    </svg>
  );
}

/** Of a circle with radius 17, clockwise from the top. */
function arcOf(share: number): string {
  const angle = 2 * Math.PI * Math.min(share, 0.9999);
  const isLarge = share > 0.5 ? 1 : 0;
  return `M0-17A17 17 0 ${isLarge} 1 ${17 * Math.sin(angle)} ${-17 * Math.cos(angle)}`;
}
