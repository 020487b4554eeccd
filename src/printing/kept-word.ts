/**
 * A choice that the user made at the terminal is carried out, or nothing is printed. The settings with which the
 * document was sent may be left out if the printer cannot do them.
 */
import type { WorkChoices } from '../domain/printer/paper-work.ts';
import { attributeOfWork, workKinds } from '../domain/printer/paper-work.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { Ticket } from '../domain/release.ts';

/** Throws `printer-refused-job` with the job attributes (RFC 8011 section 5.2) that would be left out. */
export function requireChosenSettings(
  { changed = {} }: Ticket,
  happens: { readonly grey: boolean; readonly twoSided: boolean; readonly work?: WorkChoices | undefined },
): void {
  const leftOut = [
    ...(changed.grey && !happens.grey ? ['print-color-mode'] : []),
    ...(changed.twoSided && !happens.twoSided ? ['sides'] : []),
    ...new Set(
      workKinds
        .filter((kind) => changed.work?.[kind] !== undefined)
        .filter((kind) => !happens.work?.[kind]?.includes(changed.work?.[kind] ?? ''))
        .map(attributeOfWork),
    ),
  ];
  if (leftOut.length === 0) return;
  throw new Problem('printer-refused-job', 'the printer cannot do what was asked for at the terminal', {
    reasons: leftOut,
  });
}
