/**
 * Job attributes that a printer lists but then refuses or ignores by name (RFC 8011 section 4.1.7). The printer is then
 * asked without them, as if it did not list them, unless too much would be lost.
 */
import type { Problem } from '../../../domain/problem/problem.ts';
import type { Status } from '../../../ipp/registry.ts';
import type { PrinterAttributes } from '../printer/printer-attributes.ts';
import { attributeOfWork, workKinds } from '../../../domain/printer/paper-work.ts';
import type { PrinterCapabilities } from '../../../domain/ports/printer-description.ts';
import type { IppJobPlan } from './job-plan.ts';

const fidelity = 'ipp-attribute-fidelity';

/** The names among these that the plan asks for. */
export const wishedOf = (
  { job, tellsNoFidelity }: IppJobPlan,
  names: readonly string[],
): readonly string[] => [
  ...job.map(({ name }) => name).filter((name) => names.includes(name)),
  ...(names.includes(fidelity) && !tellsNoFidelity ? [fidelity] : []),
];

const aboutWishes: ReadonlySet<string> = new Set<Status>([
  'client-error-attributes-or-values-not-supported',
  'client-error-conflicting-attributes',
]);

/** The attributes that the refusal names; if it names none, all that may be left out. */
export function refusedWishes(
  plan: IppJobPlan,
  { reasons: [status = '', ...names] }: Problem,
): readonly string[] {
  if (!aboutWishes.has(status)) return [];
  if (names.length > 0) return wishedOf(plan, names);
  return plan.job.map(({ name }) => name).filter((name) => !isMust(plan, name));
}

export const isMust = ({ musts = [] }: IppJobPlan, name: string): boolean => musts.includes(name);

export const without = (plan: IppJobPlan, names: readonly string[]): IppJobPlan => ({
  ...plan,
  job: plan.job.filter(({ name }) => !names.includes(name)),
  ...(names.includes(fidelity) ? { tellsNoFidelity: true } : {}),
});

/** The printer as if it did not list these attributes. */
export const lacking = (printer: PrinterAttributes, names: readonly string[]): PrinterAttributes => ({
  ...printer,
  ...(names.includes('copies') ? { longestCopies: 1 } : {}),
  // A value that is never asked for: an empty list would mean that the sides are unknown.
  ...(names.includes('sides') ? { sides: ['none'] } : {}),
  ...(names.includes('print-color-mode') ? { colorModes: [] } : {}),
  ...(names.includes('media') ? { media: [] } : {}),
  ...(names.includes('sheet-collate') ? { sheetCollate: [] } : {}),
  ...(names.includes('multiple-document-handling') ? { documentHandling: [] } : {}),
  ...(printer.capabilities ? { capabilities: withoutWork(printer.capabilities, names) } : {}),
});

function withoutWork(capabilities: PrinterCapabilities, names: readonly string[]): PrinterCapabilities {
  const { work } = capabilities;
  if (work === undefined) return capabilities;
  const left = workKinds.filter((kind) => !names.includes(attributeOfWork(kind)));
  const choices = Object.fromEntries(left.map((kind) => [kind, work.choices[kind]]));
  return { ...capabilities, work: { ...work, choices } };
}

/** Copies and grey pages may be made here; the result on paper is the same. */
export function isSeenOnPaper(name: string, { conversion }: IppJobPlan): boolean {
  if (name === fidelity || name === 'copies') return false;
  if (name === 'print-color-mode') return conversion?.color !== 'grey';
  return name === 'sides' || name === 'media' || (conversion?.copies ?? 1) === 1;
}
