/**
 * The last look at a printer, for the next document of a batch: it holds for a moment, where the printer was ready and a job
 * has come out since. Whatever else is heard of the printer ends it.
 */
import type { Clock } from '../../../core/clock.ts';
import type { JobReport } from '../../../domain/release.ts';
import { lookHolds } from '../../timings.ts';
import type { PrinterAttributes } from './printer-attributes.ts';

interface Look {
  readonly printer: PrinterAttributes;
  /** Monotonic milliseconds, when it was asked. */
  readonly at: number;
  readonly isBorneOut: boolean;
}

export class RecentLook {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #last: Look | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** `undefined`: it has to be looked at. */
  printer(): PrinterAttributes | undefined {
    const last = this.#last;
    if (last?.isBorneOut !== true || this.#clock.monotonic() - last.at >= lookHolds) return undefined;
    return last.printer;
  }

  keep(printer: PrinterAttributes, at: number): void {
    this.#last = { printer, at, isBorneOut: false };
  }

  forget(): void {
    this.#last = undefined;
  }

  async unlessItFails<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  /** What a job came to: out, and not a word besides, says that the printer is as it was. */
  judge({ state, reasons, letGo }: JobReport): void {
    const isOut = state === 'completed' && letGo === undefined && reasons.every(isOrdinary);
    this.#last = isOut && this.#last ? { ...this.#last, isBorneOut: true } : undefined;
  }
}

const isOrdinary = (reason: string): boolean => reason === 'none' || reason === 'job-completed-successfully';
