/** The finger of the person in front: whether it is on the screen, or was a moment ago and may come again at once. */
import { useEffect, useRef } from 'preact/hooks';
import { now } from '../../../listener/page/clock.ts';

/** Who taps twice, or a little beside, has done so by then. Milliseconds. */
const untilRested = 1_000;

/** Answers whether there is none near. */
export function useFinger(): () => boolean {
  const isDown = useRef(false);
  const lastSeen = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const seen = ({ type }: PointerEvent): void => {
      isDown.current = type === 'pointerdown';
      lastSeen.current = now();
    };
    const kinds = ['pointerdown', 'pointerup', 'pointercancel'] as const;
    for (const kind of kinds) addEventListener(kind, seen, { capture: true });
    return () => {
      for (const kind of kinds) removeEventListener(kind, seen, { capture: true });
    };
  }, []);
  return useRef(() => !isDown.current && now() - lastSeen.current >= untilRested).current;
}
