/**
 * When the page loads itself anew, and when a screen is nobody's any more: only while nobody is there. Nothing is
 * remembered over that, so a page loads itself once for each reason at most.
 */
import { useEffect, useRef } from 'preact/hooks';
import { every, now } from '../../listener/page/clock.ts';

/** Without a touch, and nobody is there, where the terminal says no other time. Seconds. */
const usualPatience = 60;
const oldAfter = 24 * 60 * 60_000;

export interface Life {
  readonly isIdle: boolean;
  /** Milliseconds since the last touch, or since the terminal came to wait. */
  readonly quietFor: number;
  /** Milliseconds. */
  readonly patience: number;
  readonly age: number;
  /** The agent serves another page, or was away. */
  readonly isStale: boolean;
}

export const isNobodys = ({ isIdle, quietFor, patience }: Life): boolean => isIdle && quietFor >= patience;
export const isReloadDue = (life: Life): boolean => isNobodys(life) && (life.isStale || life.age >= oldAfter);

export interface Freshness {
  touched(): void;
  onBuild(build: string): void;
  wasAway(): void;
}

/** `onNobodys`: what somebody left on the idle screen is nobody's now. */
export function useFreshness({
  isIdle,
  patience = usualPatience,
  onNobodys,
}: {
  readonly isIdle: boolean;
  /** Seconds. */
  readonly patience: number | undefined;
  readonly onNobodys: () => void;
}): Freshness {
  const { current: life } = useRef({
    loadedAt: now(),
    touchedAt: now(),
    isStale: false,
    isLeft: false,
    build: undefined as string | undefined,
  });
  useEffect(() => {
    life.touchedAt = now();
    return every(5_000, () => {
      const time = now();
      const state = {
        isIdle,
        quietFor: time - life.touchedAt,
        patience: patience * 1_000,
        age: time - life.loadedAt,
        isStale: life.isStale,
      };
      if (isReloadDue(state)) location.reload();
      else if (isNobodys(state) && !life.isLeft) {
        life.isLeft = true;
        onNobodys();
      }
    });
  }, [isIdle, patience]);
  return {
    touched() {
      life.touchedAt = now();
      life.isLeft = false;
    },
    onBuild(build) {
      life.isStale ||= life.build !== undefined && life.build !== build;
      life.build ??= build;
    },
    wasAway() {
      life.isStale = true;
    },
  };
}
