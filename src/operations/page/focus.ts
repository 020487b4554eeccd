/** Each screen puts the focus on its heading when the user comes there, and names the tab. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Not at the start of the page: a browser begins to read there by itself. */
let isFirst = true;

export function useHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  useEffect(() => {
    document.title = `${title} · Platen`;
  }, [title]);
  return heading;
}
