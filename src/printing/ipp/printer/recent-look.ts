/**
 * Keeps the last look at a printer for the next document of a batch. It is valid for a moment, if the printer was ready
 * and a job has come out since. Any other news from the printer ends it.
 */
import type { Clock } from '../../../core/clock.ts';
import type { JobReport } from '../../../domain/release.ts';
import { lookHolds } from '../../timings.ts';
import type { PrinterAttributes } from './printer-attributes.ts';

interface Look {
  readonly printer: PrinterAttributes;
  /** Monotonic milliseconds, when the printer was asked. */
  readonly at: number;
  readonly isBorneOut: boolean;
}

export class RecentLook {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #last: Look | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** `undefined`: the printer has to be looked at again. */
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

  /** A job that came out without any special reason shows that the printer is unchanged. */
  judge({ state, reasons, letGo }: JobReport): void {
    const isOut = state === 'completed' && letGo === undefined && reasons.every(isOrdinary);
    this.#last = isOut && this.#last ? { ...this.#last, isBorneOut: true } : undefined;
  }
}

const isOrdinary = (reason: string): boolean => reason === 'none' || reason === 'job-completed-successfully';
