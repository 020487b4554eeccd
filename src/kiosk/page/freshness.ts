/**
 * When the page loads itself again, and when the settings on the idle screen are forgotten. Both happen only if nobody
 * is there. A loaded page remembers nothing, so each reason loads it at most once.
 */
import { useEffect, useRef } from 'preact/hooks';
import { every, now } from '../../listener/page/clock.ts';

/** After this time without a touch nobody is there, if the terminal gives no other time. Seconds. */
const usualPatience = 60;
const oldAfter = 24 * 60 * 60_000;

export interface Life {
  readonly isIdle: boolean;
  /** Milliseconds since the last touch, or since the idle screen came. */
  readonly quietFor: number;
  /** Milliseconds. */
  readonly patience: number;
  readonly age: number;
  /** The agent serves a newer page, or the connection was lost. */
  readonly isStale: boolean;
}

export const isUnattended = ({ isIdle, quietFor, patience }: Life): boolean => isIdle && quietFor >= patience;
export const isReloadDue = (life: Life): boolean =>
  isUnattended(life) && (life.isStale || life.age >= oldAfter);

export interface Freshness {
  touched(): void;
  onBuild(build: string): void;
  wasAway(): void;
}

/** `onLeft`: called when the person has left the idle screen. */
export function useFreshness({
  isIdle,
  patience = usualPatience,
  onLeft,
}: {
  readonly isIdle: boolean;
  /** Seconds. */
  readonly patience: number | undefined;
  readonly onLeft: () => void;
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
      else if (isUnattended(state) && !life.isLeft) {
        life.isLeft = true;
        onLeft();
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
