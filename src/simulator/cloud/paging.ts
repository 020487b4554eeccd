/**
 * Lists and their pages (spec, General rules 6, PagedResult). A page token contains its place and the query of the
 * first call, because the next call may carry only the token.
 */
import { z } from 'zod';
import type { Answer, Call } from './call.ts';
import { Deviation, errorAnswer, json } from './call.ts';
import type { CloudContext } from './context.ts';
import { formInteger, formText, readQuery } from './parameters.ts';
import type { CloudSettings } from './settings.ts';

interface Place {
  readonly from: number;
  /** The query of the first call, without its token. */
  readonly query: string;
  /** Wall time of the first call. All pages use it as the current time. */
  readonly at: number;
}

const pageToken = z.strictObject({ pagetoken: formText.optional() });
const pageSize = z.strictObject({ maxrecords: formInteger(1, 2000).optional() });

/** A list without pages, in the envelope that the settings choose. */
export const listed = <T>(items: readonly T[], shape: CloudSettings['listShape']) =>
  shape === 'bare' ? items : { items, recordsOnPage: items.length };

/** Gives the call that began the pages, and the place where this call continues. */
export function followPages(
  { clock }: CloudContext,
  call: Call,
  section: string,
): { first: Call; place: Place } {
  const { taken, rest } = splitQuery(call.query, 'pagetoken');
  const { pagetoken } = readQuery({ ...call, query: taken }, { schema: pageToken, section });
  const place =
    pagetoken === undefined ? { from: 0, query: rest, at: clock.now() } : placeOf(pagetoken, section);
  if (rest !== '' && rest !== place.query) {
    throw new Deviation('other parameters than those the pages began with', section, errorAnswer(400));
  }
  return { first: { ...call, query: place.query }, place };
}

/** Gives one page from the place on, and the token of the next page if there is one. */
export function pageOf<T>(items: readonly T[], place: Place, most: number) {
  const { from } = place;
  const page = items.slice(from, from + most);
  const end = from + page.length;
  return {
    page,
    recordsOnPage: page.length,
    ...(end < items.length ? { nextPageToken: tokenOf({ ...place, from: end }) } : {}),
  };
}

/** The answer for a list whose envelope and page size are open in the spec. */
export function answerList<Query>(
  context: CloudContext,
  call: Call,
  reading: Parameters<typeof readQuery<Query>>[1] & { find(query: Query): readonly object[] },
): Answer {
  const { find, ...own } = reading;
  const { settings } = context;
  if (settings.listShape === 'bare') return json(200, find(readQuery(call, own)));
  const { first, place } = followPages(context, call, own.section);
  const { taken, rest } = splitQuery(first.query, 'maxrecords');
  const { maxrecords = settings.pageSize } = readQuery(
    { ...call, query: taken },
    { schema: pageSize, section: own.section },
  );
  const items = find(readQuery({ ...call, query: rest }, own));
  const { page, ...paging } = pageOf(items, place, Math.min(maxrecords, settings.pageSize));
  return json(200, { items: page, ...paging });
}

/** Splits the query into the pairs with this name and the others. */
function splitQuery(query: string, name: string): { taken: string; rest: string } {
  const pairs = query.split('&');
  const isTaken = (pair: string) => pair.startsWith(`${name}=`);
  return {
    taken: pairs.filter(isTaken).join('&'),
    rest: pairs.filter((pair) => !isTaken(pair)).join('&'),
  };
}

const tokenOf = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url');

const placeSchema = z.object({ from: z.int().min(0), query: z.string(), at: z.number() });

function placeOf(token: string, section: string): Place {
  try {
    return placeSchema.parse(JSON.parse(Buffer.from(token, 'base64url').toString()));
  } catch {
    throw new Deviation('a page token that was not given out', section, errorAnswer(400));
  }
}
