/**
 * The shapes of lists from the service: bare, or as PagedResult, which the history calls `documents` (spec, General
 * rules 6, 7).
 */
import { z } from 'zod';

export interface ListPage {
  readonly entries: readonly unknown[];
  readonly nextPageToken: string | undefined;
}

const entries = z.array(z.unknown());
export const nextPageToken = z
  .string()
  .nullish()
  .transform((token) => token?.trim() || undefined);

export const listPage: z.ZodType<ListPage> = z.union([
  entries.transform((bare) => ({ entries: bare, nextPageToken: undefined })),
  z
    .object({ items: entries, nextPageToken })
    .transform(({ items, ...page }) => ({ entries: items, ...page })),
  z
    .object({ documents: entries, nextPageToken })
    .transform(({ documents, ...page }) => ({ entries: documents, ...page })),
]);
