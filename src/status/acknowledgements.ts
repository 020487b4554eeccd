/**
 * Conditions that an administrator has taken on, with a note for the others. A note lasts as long as its condition:
 * when the condition is cleared or gets another code, the note goes. After a restart conditions are found again, and
 * their notes wait an hour for that.
 */
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import { hours } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Acknowledgement, AcknowledgementRegister } from '../domain/condition.ts';
import type { Sayer } from '../domain/release.ts';
import type { ConditionList, TimedCondition } from './conditions.ts';

export interface AcknowledgedCondition extends TimedCondition {
  readonly acknowledged?: Pick<Acknowledgement, 'note' | 'name' | 'at'>;
}

export interface Acknowledgements {
  /** As `ConditionList.timed`. */
  timed(): readonly AcknowledgedCondition[];
  /** False if the condition no longer exists. */
  acknowledge(which: ConditionName, note: string, sayer: Sayer): boolean;
}

export type ConditionName = Pick<Acknowledgement, 'code' | 'scope' | 'subject'>;

const untilFoundAgain = hours(1);

export function createAcknowledgements(parts: {
  readonly conditions: Pick<ConditionList, 'timed' | 'onChange'>;
  readonly register: AcknowledgementRegister;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly log: Log;
}): Acknowledgements {
  const { conditions, register, clock, log } = parts;
  const startedAt = clock.monotonic();
  /** Conditions that were seen again since the start. */
  const met = new Set<string>();

  function review(): void {
    const held = new Set(conditions.timed().map(keyOf));
    const isStarting = clock.monotonic() - startedAt < untilFoundAgain;
    const staying = register.all().filter((one) => {
      const key = keyOf(one);
      if (held.has(key)) met.add(key);
      return held.has(key) || (isStarting && !met.has(key));
    });
    if (staying.length < register.all().length) register.keep(staying);
  }
  conditions.onChange(review);

  return {
    timed() {
      review();
      const notes = new Map(register.all().map((one) => [keyOf(one), one]));
      return conditions.timed().map((condition) => {
        const found = notes.get(keyOf(condition));
        if (!found) return condition;
        const { note, name, at } = found;
        return { ...condition, acknowledged: { note, name, at } };
      });
    },
    acknowledge({ code, scope, subject }, note, sayer) {
      const which = { code, scope, subject };
      if (!conditions.timed().some((one) => keyOf(one) === keyOf(which))) return false;
      met.add(keyOf(which));
      const others = register.all().filter((one) => keyOf(one) !== keyOf(which));
      const name = 'name' in sayer ? sayer.name : `uid ${sayer.by ?? '?'}`;
      register.keep([...others, { ...which, note, name, at: isoInstant(clock.now()) }]);
      log.info('condition acknowledged', { ...which, note, ...sayer });
      return true;
    },
  };
}

const keyOf = ({ scope, subject, code }: ConditionName): string => JSON.stringify([scope, subject, code]);
