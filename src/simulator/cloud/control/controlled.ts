/** The part of a simulated cloud that `/simulator` may use. */
import type { Duration } from '../../../core/duration.ts';
import type { MovedClock } from '../../moved-clock.ts';
import type { Administration } from '../administration.ts';
import type { FaultOrders } from '../faults.ts';
import type { CloudSettings, TableSettings } from '../settings.ts';
import type { CloudState } from '../state.ts';

export interface Controlled extends FaultOrders, Administration {
  readonly state: CloudState;
  readonly settings: CloudSettings;
  readonly clock: MovedClock;
  /** PEM, if the cloud made its own chain. */
  readonly authority: string | undefined;
  readonly deviations: readonly string[];
  readonly calls: readonly {
    readonly method: string;
    readonly path: string;
    readonly status?: number;
    readonly why?: string;
    readonly fault?: string;
  }[];
  /** From the next call until a reset. */
  changeSettings(settings: Partial<TableSettings>): void;
  /** Throws `RangeError` if the span is not above 0, or leads beyond the end of the year 9999. */
  advanceClock(span: Duration): void;
  /** Restores the initial state. */
  reset(): void;
}
