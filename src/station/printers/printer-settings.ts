/**
 * The part of a terminal's settings that belongs to one printer: its address, and the handling of pages for it. Read
 * anew at each call.
 */
import type { AdoptedSettings } from '../../domain/terminal/terminal-settings.ts';
import type { PageHandling } from '../../printing/conversion/conversion-plan.ts';

export class PrinterSettings {
  readonly #adopted: () => AdoptedSettings;

  constructor(adopted: () => AdoptedSettings) {
    this.#adopted = adopted;
  }

  current(): AdoptedSettings {
    return this.#adopted();
  }

  get pageHandling(): PageHandling {
    const adopted = this.#adopted;
    return {
      get softwareCopies() {
        return adopted().softwareCopyCollation.value;
      },
      get reversed() {
        return adopted().isReverseFinisher.value;
      },
    };
  }

  /** The configuration asks for that, not only the service. */
  demandsPageHandling(): boolean {
    const { softwareCopyCollation, isReverseFinisher } = this.#adopted();
    return [softwareCopyCollation, isReverseFinisher].some(({ value, from }) => value && from === 'config');
  }
}
