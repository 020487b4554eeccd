/** What every screen is given, and how it takes the focus so that a keyboard or a screen reader begins at its top. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Frame } from '../frame.ts';
import type { Sent, Wish } from './terminal-link.ts';

export interface ScreenProps {
  readonly frame: Frame;
  readonly send: (wish: Wish) => Promise<Sent>;
}

/** That of a page which is looked at, by its name in the frame; `undefined`: it did not come. */
export type Picture = (name: string) => Promise<ImageBitmap | undefined>;

/** What is still to be done for the person if they sign out here; nothing any more where it is `undefined`. */
export type Owes = (task: (() => Promise<void>) | undefined) => void;

/** For the heading of a screen. */
export function useEntryFocus<Element extends HTMLElement>(): RefObject<Element | null> {
  const heading = useRef<Element>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return heading;
}
