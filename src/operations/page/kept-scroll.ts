/** A user who comes back to a list finds it at the same scroll position. */
import { useLayoutEffect } from 'preact/hooks';

const kept = new Map<string, number>();

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
