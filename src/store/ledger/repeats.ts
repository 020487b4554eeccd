/**
 * Finds the earlier releases whose missing pages this release prints, and how many pages each of them printed itself.
 * Together they never count more pages than the document has (I2). Read-only.
 */
import { z } from 'zod';
import type { CutRecord } from '../../domain/ports/claims.ts';
import { factsText } from '../columns.ts';
import type { Database } from '../database.ts';

/**
 * The plan of a release: which release it repeats, and which pages. For a release that another member left, `cuts` is
 * what that member knew.
 */
const planned = z.object({
  again: z.string().optional(),
  picked: z.object({ from: z.int(), to: z.int() }).optional(),
  cuts: z.array(z.object({ releaseId: z.string(), pages: z.int() })).optional(),
});
type Planned = z.infer<typeof planned>;

/** Takes the release's id; the most recent earlier release comes first. */
export type Repeats = (releaseId: string) => readonly CutRecord[];

export function createRepeats(database: Database): Repeats {
  const plan = database.prepare(`
    SELECT facts FROM event WHERE attempt = (SELECT id FROM attempt WHERE release_id = ?) ORDER BY seq LIMIT 1`);
  const asPlanned = (releaseId: string): Planned => {
    const facts = plan.get(releaseId)?.['facts'];
    return facts === undefined ? {} : planned.parse(factsText.parse(facts));
  };

  return (releaseId) => {
    const found: CutRecord[] = [];
    let { again, picked, cuts } = asPlanned(releaseId);
    while (again !== undefined && picked !== undefined) {
      const before = asPlanned(again);
      found.push({ releaseId: again, pages: picked.from - (before.picked?.from ?? 1) });
      ({ again, picked, cuts } = before);
    }
    return [...found, ...(cuts ?? [])];
  };
}
