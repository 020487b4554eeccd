/** Lists in the shapes the service may give them: bare, or as PagedResult (spec, General rules 6 and 7). */
import { z } from 'zod';

export interface ListPage {
  readonly entries: readonly unknown[];
  readonly nextPageToken: string | undefined;
}

const entries = z.array(z.unknown());
const nextPageToken = z.string().nullish();

export const listPage: z.ZodType<ListPage> = z.union([
  entries.transform((bare) => ({ entries: bare, nextPageToken: undefined })),
  z.object({ items: entries, nextPageToken }).transform(({ items, nextPageToken: next }) => ({
    entries: items,
    nextPageToken: next?.trim() || undefined,
  })),
  z.object({ documents: entries }).transform(({ documents }) => ({
    entries: documents,
    nextPageToken: undefined,
  })),
]);
