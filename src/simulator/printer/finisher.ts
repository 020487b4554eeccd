/**
 * A virtual printer with a finisher: staples, holes, folds, three bins, four trays, and values that exclude each other
 * (PWG 5100.1, PWG 5100.7; job-constraints-supported of PWG 5100.13).
 */
import type { Attribute, Value } from '../../ipp/message.ts';
import { attribute } from '../../ipp/message.ts';
import * as ipp from '../../ipp/values.ts';
import { enums, keywords } from './everywhere-attributes.ts';
import { mediaCollection } from './paper.ts';

/** Staples do not go through cardboard, and what is folded goes to the lower bin. */
const conflicts: readonly (readonly Attribute[])[] = [
  [
    enums('finishings', 20, 28),
    attribute('media-col', ipp.collection([keywords('media-type', 'cardstock')])),
  ],
  [enums('finishings', 93), keywords('output-bin', 'top', 'mailbox-1')],
  [enums('finishings', 93), keywords('sides', 'two-sided-short-edge')],
];

export const finisher: readonly Attribute[] = [
  // none, staple-top-left, staple-dual-left, punch-dual-left, fold-half, and a private number of its maker
  enums('finishings-supported', 3, 20, 28, 74, 93, 1073741824),
  enums('finishings-ready', 3, 20, 28, 74, 93),
  keywords('output-bin-supported', 'auto', 'top', 'lower', 'mailbox-1'),
  keywords('output-bin-default', 'top'),
  keywords('media-source-supported', 'auto', 'tray-1', 'tray-2', 'tray-3', 'by-pass-tray'),
  keywords('media-type-supported', 'auto', 'stationery', 'stationery-letterhead', 'cardstock'),
  keywords('media-ready', 'iso_a4_210x297mm', 'iso_a3_297x420mm'),
  attribute(
    'media-col-ready',
    mediaCollection('iso_a4_210x297mm', 'tray-1'),
    mediaCollection('iso_a3_297x420mm', 'tray-2'),
    mediaCollection('iso_a4_210x297mm', 'tray-3', 'stationery-letterhead'),
    mediaCollection('iso_a4_210x297mm', 'by-pass-tray', 'cardstock'),
  ),
  enums('print-quality-supported', 3, 4, 5),
  attribute(
    'job-constraints-supported',
    ...conflicts.map((members, at) =>
      ipp.collection([attribute('resolver-name', ipp.nameWithoutLanguage(`conflict-${at + 1}`)), ...members]),
    ),
  ),
];

/** The attributes of a job that cannot be done together; empty if all is well. */
export function conflictingIn(job: readonly Attribute[]): readonly Attribute[] {
  const conflict = conflicts.find((members) =>
    members.every((member) => job.some((one) => meets(one, member))),
  );
  return conflict === undefined
    ? []
    : job.filter(({ name }) => conflict.some((member) => member.name === name));
}

const meets = (asked: Attribute, member: Attribute): boolean =>
  asked.name === member.name &&
  asked.values.some((value) => member.values.some((forbidden) => isSame(value, forbidden)));

function isSame(value: Value, forbidden: Value): boolean {
  if ('text' in value) return 'text' in forbidden && forbidden.text === value.text;
  if ('integer' in value) return 'integer' in forbidden && forbidden.integer === value.integer;
  if (value.tag !== 'begCollection' || forbidden.tag !== 'begCollection') return false;
  return forbidden.members.every((member) => value.members.some((one) => meets(one, member)));
}
