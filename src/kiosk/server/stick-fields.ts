/** The stick of the person in front as their own page is told of it, its fields picked by name (I3). */
import type { StickView } from '../../domain/terminal/stick-view.ts';

export const stickFields = ({ stage, edition, files, isMore, name, percent, why }: StickView): StickView => ({
  ...{ stage, edition },
  ...(files && {
    files: files.map((file) => ({ folder: file.folder, name: file.name, octets: file.octets })),
  }),
  ...(isMore && { isMore }),
  ...(name !== undefined && { name }),
  ...(percent !== undefined && { percent }),
  ...(why && { why }),
});
