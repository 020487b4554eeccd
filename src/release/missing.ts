/** What a release that was given up in the middle knows of the pages that did not come out. */
import { missingPages } from '../domain/missing-pages.ts';
import type { PageRange } from '../domain/page-range.ts';
import type { EndState } from '../domain/release.ts';
import type { ReleaseContext } from './context.ts';
import { reporterOf } from './context.ts';

/** Pages that did not come out, by the count of the printer itself, which may be printed by themselves. */
export function missingOf(known: ReleaseContext, state: EndState): { readonly missing?: PageRange } {
  const { ticket, plan, report, sent, page, world } = known;
  if (state !== 'PARTIAL' || sent !== 'all' || !ticket || !plan || !report) return {};
  // A count that has fallen contradicts itself.
  if (report.impressionsCompleted !== undefined && page > report.impressionsCompleted) return {};
  if (world.delivery !== 'local' || world.printer().kind !== 'jobs' || reporterOf(known) !== 'device')
    return {};
  const { format, conversion: { order = 'as-is', copies = 1 } = {} } = plan;
  const arePickable = plan.conversion !== undefined || format === 'application/pdf';
  const isInOrder = arePickable && order === 'as-is' && copies === 1;
  const missing = missingPages({ document: ticket.document, picked: ticket.picked, report, isInOrder });
  return missing ? { missing } : {};
}
