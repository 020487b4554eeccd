/**
 * The properties of every screen, and the focus on its heading, so that a keyboard or a screen reader begins at the
 * top.
 */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Frame } from '../frame.ts';
import type { Sent, Wish } from './terminal-link.ts';

export interface ScreenProps {
  readonly frame: Frame;
  readonly send: (wish: Wish) => Promise<Sent>;
}

/** Loads the picture of a page by its name in the frame; `undefined`: it did not load. */
export type Picture = (name: string) => Promise<ImageBitmap | undefined>;

/** A task that must be done before the person signs out; `undefined`: no task any more. */
export type KeepTask = (task: (() => Promise<void>) | undefined) => void;

/** For the heading of a screen. */
export function useEntryFocus<Element extends HTMLElement>(): RefObject<Element | null> {
  const heading = useRef<Element>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return heading;
}
