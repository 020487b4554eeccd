/**
 * A user at a list: whether the hand is there (a pointer over it, the keyboard in it, scrolled down, or touched just
 * now), and the kept scroll position.
 */
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { now } from '../../listener/page/clock.ts';

/** Milliseconds: a finger leaves no pointer behind, and comes back. */
const untilGone = 5_000;

export function useHand(list: RefObject<HTMLElement | null>): () => boolean {
  const touchedAt = useRef(-untilGone);
  useEffect(() => {
    const touched = () => {
      touchedAt.current = now();
    };
    const kinds = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;
    const element = list.current;
    for (const kind of kinds) element?.addEventListener(kind, touched, { passive: true });
    return () => {
      for (const kind of kinds) element?.removeEventListener(kind, touched);
    };
  }, [list]);
  return useCallback(() => {
    const element = list.current;
    return (
      scrollY > 0 ||
      now() - touchedAt.current < untilGone ||
      (element?.matches(':hover') ?? false) ||
      (element?.contains(document.activeElement) ?? false)
    );
  }, [list]);
}

const kept = new Map<string, number>();

/** A user who comes back to a list finds it at the same scroll position. */
export function useKeptScroll(screen: string): void {
  useLayoutEffect(() => {
    scrollTo({ top: kept.get(screen) ?? 0 });
    const keep = () => kept.set(screen, scrollY);
    addEventListener('scroll', keep, { passive: true });
    return () => {
      removeEventListener('scroll', keep);
    };
  }, [screen]);
}
