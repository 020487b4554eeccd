/** How old what one sees is. */
import { useEffect, useState } from 'preact/hooks';
import { every, now } from '../../../listener/page/clock.ts';
import { spanText } from '../plain-words.ts';

/** `heardAt`: milliseconds of the page's clock. */
export function Updated({ heardAt }: { readonly heardAt: number }) {
  const [time, setTime] = useState(now);
  useEffect(() => every(1_000, () => setTime(now())), []);
  return <span class="hint updated">updated {spanText(Math.max(0, (time - heardAt) / 1000))} ago</span>;
}
