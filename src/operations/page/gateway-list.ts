/** The gateways in the list: the selection, the order, and each row's words. No browser, no markup. */
import { foundBy } from '../../listener/page/found-by.ts';
import type { ToldGateway } from '../ui/answers.ts';
import type { GatewaysSort, GatewaysView } from './place.ts';
import { titleOf } from './plain-words.ts';
import type { StandingWord } from './gateway-standing.ts';
import { standingOf, standings } from './gateway-standing.ts';

/** Only plain values, so that a row is drawn again only when one of them changes. */
export interface GatewayRowWords {
  readonly member: string;
  readonly name: string;
  readonly site: string;
  readonly word: StandingWord;
  readonly ready: number;
  readonly served: number;
  readonly fault: string;
  readonly moreFaults: number;
  /** Prints that failed or are unknown, and badges that were refused, within the last day. */
  readonly hurt: number;
  /** Records that wait for the service. */
  readonly waiting: number;
  readonly isSelf: boolean;
}

export function rowWordsOf(seen: ToldGateway, sinceAnswer: number): GatewayRowWords {
  const { member, name, site, terminals, outbox, hurt } = seen.digest;
  const { word, faults } = standingOf(seen, sinceAnswer);
  const [fault = ''] = faults;
  return {
    member,
    name,
    site,
    word,
    fault,
    isSelf: seen.isSelf,
    ready: terminals.ready,
    served: terminals.served,
    moreFaults: Math.max(0, faults.length - 1),
    hurt: hurt ? hurt.day.failed + hurt.day.unknown + hurt.day.refused : 0,
    waiting: outbox.waiting,
  };
}

export const pageOf = ({ operations, operationsTls }: ToldGateway['digest']): string | undefined =>
  operations === null ? undefined : `${operationsTls ? 'https' : 'http'}://${operations}/ui/`;

export interface SiteWords {
  readonly site: string;
  readonly gateways: number;
  readonly inOrder: number;
  readonly ready: number;
  readonly served: number;
}

export function sitesOf(rows: readonly GatewayRowWords[]): ReadonlyMap<string, SiteWords> {
  return new Map(
    [...Map.groupBy(rows, ({ site }) => site)].map(([site, within]) => [
      site,
      {
        site,
        gateways: within.length,
        ...terminalsOf(within),
        inOrder: within.filter(({ word }) => word === 'in-order').length,
      },
    ]),
  );
}

/** The terminals of a silent gateway are unknown, and another one may serve them. */
export function terminalsOf(rows: readonly GatewayRowWords[]): {
  readonly ready: number;
  readonly served: number;
} {
  const heard = rows.filter(({ word }) => word !== 'silent');
  return {
    ready: heard.reduce((sum, { ready }) => sum + ready, 0),
    served: heard.reduce((sum, { served }) => sum + served, 0),
  };
}

/** The gateways of the view, the worst first; by site, the site with the worst gateway is the first. */
export function orderedMembers(
  seen: readonly ToldGateway[],
  rows: ReadonlyMap<string, GatewayRowWords>,
  { search, onlyTroubled, like, sort, bySite }: GatewaysView,
): readonly string[] {
  const words = foundBy(search).split(/\s+/).filter(Boolean);
  const wanted = seen.flatMap((one) => {
    const row = rows.get(one.digest.member);
    if (!row || (onlyTroubled && row.word === 'in-order') || (like !== '' && row.word !== like)) return [];
    const text = words.length === 0 ? '' : searchTextOf(one);
    return words.every((word) => text.includes(word)) ? [row] : [];
  });
  const first = sorts[sort];
  const inOrder = wanted.toSorted((one, other) => first(one, other) || compared(one, other));
  if (!bySite) return inOrder.map(({ member }) => member);
  return [...Map.groupBy(inOrder, ({ site }) => site).values()].flat().map(({ member }) => member);
}

const searchTextOf = ({ digest }: ToldGateway): string =>
  foundBy(
    [
      digest.name,
      digest.site,
      digest.version,
      digest.member,
      digest.operations ?? '',
      ...digest.terminals.troubled.map(({ id }) => id),
      ...digest.conditions.flatMap(({ code, scope }) => [code, titleOf(code), scope]),
    ].join('\n'),
  );

/** The first criterion; if it is equal, the fault decides. */
const sorts: Readonly<Record<GatewaysSort, (one: GatewayRowWords, other: GatewayRowWords) => number>> = {
  wrong: () => 0,
  hurt: (one, other) => other.hurt - one.hurt,
  waiting: (one, other) => other.waiting - one.waiting,
  name: (one, other) => alphabetical.compare(one.name, other.name),
};

const gravity = new Map(standings.map((word, place) => [word, place]));
const alphabetical = new Intl.Collator('en', { numeric: true });

function compared(one: GatewayRowWords, other: GatewayRowWords): number {
  const graver = (gravity.get(one.word) ?? 0) - (gravity.get(other.word) ?? 0);
  const hurt = other.served - other.ready - (one.served - one.ready);
  return (
    graver || hurt || alphabetical.compare(one.site, other.site) || alphabetical.compare(one.name, other.name)
  );
}

/**
 * The list while a user is at it: no row moves, new rows come last, and rows that are gone are removed. Without a
 * change the result is `shown` itself.
 */
export function steadied(
  shown: readonly string[],
  wanted: readonly string[],
  isThere: (member: string) => boolean,
): readonly string[] {
  const known = new Set(shown);
  const next = [...shown.filter(isThere), ...wanted.filter((member) => !known.has(member))];
  return isSameOrder(shown, next) ? shown : next;
}

export const isSameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((member, place) => member === other[place]);
