/**
 * Lists that may come in pages (spec, General rules 6). The `nextPageToken` of an answer is the `pagetoken` of the next
 * call, until it is blank or absent. A list must be complete: if it does not end, it rejects.
 */
import type { z } from 'zod';
import { minutes } from '../../core/duration.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { ResourceDeps } from './caller.ts';
import { askAs } from './caller.ts';
import type { FormField } from './form.ts';
import { query } from './form.ts';
import type { Answer } from './json.ts';
import { nonsense, valueOf } from './json.ts';
import type { OnEntry } from './list-split.ts';
import type { ListPage } from './list-answer.ts';
import { listPage } from './list-answer.ts';

const mostPages = 100;

/** Asks for one page; for the first without a token. */
export type AskPage = (pageToken: string | undefined) => Promise<Answer>;

/**
 * The entries one by one. Each page is asked for when it is needed, so a caller that stops reading causes no further
 * calls.
 */
export async function* entriesOf(
  ask: AskPage,
  shape: z.ZodType<ListPage> = listPage,
): AsyncGenerator<unknown, void> {
  const seen = new Set<string>();
  for (let pageToken: string | undefined; ; ) {
    const answer = await ask(pageToken);
    const page = valueOf(answer, shape);
    yield* page.entries;
    pageToken = page.nextPageToken;
    if (pageToken === undefined) return;
    if (seen.has(pageToken)) throw nonsense(answer, 'the list goes round in a circle');
    seen.add(pageToken);
    if (seen.size === mostPages) throw nonsense(answer, `the list has more than ${mostPages} pages`);
  }
}

export interface List<T> {
  /** For the log. */
  readonly name: string;
  readonly path: string;
  readonly shownPath?: string;
  readonly fields?: readonly FormField[];
  readonly entry: z.ZodType<T>;
  /** Called for each entry that fits, also if it is not kept. */
  each?(entry: T): void | Promise<void>;
  /** Absent: keeps all. `mayFit` drops most of a long list before the full check. */
  readonly sieve?: {
    mayFit(unchecked: unknown): boolean;
    keep(entry: T): boolean;
  };
}

/** For all pages of a list together, with up to 50,000 entries over a slow line. */
const longestReading = minutes(5);

/**
 * Reads the whole list as it comes in, so that only the kept entries are in memory. Entries that do not fit are left
 * out, and their number is logged.
 */
export async function readList<T>(
  deps: ResourceDeps,
  { name, path, shownPath = path, fields = [], entry, each, sieve }: List<T>,
  options: CallerOptions,
): Promise<readonly T[]> {
  const within = { ...options, signal: deps.clock.deadline(longestReading, options.signal) };
  const fitting: T[] = [];
  let unusable = 0;
  const onEntry: OnEntry = (one) => {
    if (!each && sieve?.mayFit(one) === false) return;
    const { success, data } = entry.safeParse(one);
    if (!success) {
      unusable += 1;
      return;
    }
    if (sieve?.keep(data) !== false) fitting.push(data);
    return each?.(data);
  };
  const ask: AskPage = (pageToken) =>
    askAs(
      deps,
      {
        method: 'GET',
        path: path + query([...fields, ['pagetoken', pageToken]]),
        shownPath,
        onEntry,
      },
      within,
    );
  // The entries have gone to `onEntry`.
  for await (const _ of entriesOf(ask));
  if (unusable > 0) deps.log.warn('entries left out of a list', { list: name, unusable });
  return fitting;
}
