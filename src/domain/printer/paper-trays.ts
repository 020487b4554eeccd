/** The paper in a printer's trays, as far as the printer tells. Nothing is concluded from silence. */
import type { Size } from './paper-work.ts';
import { isSameSize } from './paper-work.ts';

interface Tray {
  readonly isEmpty: boolean;
  /** `undefined`: the tray does not tell its paper. */
  readonly size: Size | undefined;
}

export interface PaperTrays {
  readonly trays: readonly Tray[];
  /** The paper that the printer lists as ready; `undefined` is paper of a size that cannot be read. */
  readonly ready: readonly (Size | undefined)[];
}

/** Every tray that the printer lists is empty. */
export const areAllEmpty = ({ trays }: PaperTrays): boolean =>
  trays.length > 0 && trays.every(({ isEmpty }) => isEmpty);

const mayBe =
  (wanted: Size) =>
  (size: Size | undefined): boolean =>
    size === undefined || isSameSize(size, wanted);

/** The trays show that none of them has paper of this size. */
export const isNowhere = (wanted: Size, { trays, ready }: PaperTrays): boolean =>
  (trays.length > 0 && !trays.some(({ isEmpty, size }) => !isEmpty && mayBe(wanted)(size))) ||
  (ready.length > 0 && !ready.some(mayBe(wanted)));

/** Some of it lies there by the printer's own word. */
export const isThere = (wanted: Size, told: PaperTrays): boolean =>
  !isNowhere(wanted, told) &&
  [...told.ready, ...told.trays.map(({ size }) => size)].some(
    (size) => size !== undefined && isSameSize(size, wanted),
  );
