/** The place on the page is the part of the address behind the `#`, so that a copied link leads to the same place. */
import { useEffect, useState } from 'preact/hooks';
import type { StandingWord } from './gateway-standing.ts';
import { standings } from './gateway-standing.ts';

export type Place =
  | { readonly screen: 'gateways'; readonly view: GatewaysView }
  | { readonly screen: 'gateway'; readonly member: string }
  | { readonly screen: 'terminal'; readonly id: string }
  | { readonly screen: 'release'; readonly code: string }
  | { readonly screen: 'conditions' }
  | { readonly screen: 'unsettled' }
  | { readonly screen: 'nowhere' };

export interface GatewaysView {
  readonly search: string;
  readonly onlyTroubled: boolean;
  /** Only gateways with this word; empty: all. */
  readonly like: StandingWord | '';
  readonly sort: GatewaysSort;
  readonly bySite: boolean;
}

/** The first is the default. */
export const gatewaysSorts = ['wrong', 'hurt', 'waiting', 'name'] as const;
export type GatewaysSort = (typeof gatewaysSorts)[number];

export const wholeList: GatewaysView = {
  search: '',
  onlyTroubled: false,
  like: '',
  sort: 'wrong',
  bySite: false,
};

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [screen, name = ''] = path.split('/', 2);
  const named = decoded(name);
  if (screen === '') return { screen: 'gateways', view: viewOf(new URLSearchParams(query)) };
  if (screen === 'conditions' || screen === 'unsettled') return { screen };
  if (named === '') return { screen: 'nowhere' };
  if (screen === 'gateways') return { screen: 'gateway', member: named };
  if (screen === 'terminals') return { screen: 'terminal', id: named };
  if (screen === 'releases') return { screen: 'release', code: named.toLowerCase() };
  return { screen: 'nowhere' };
}

export const hrefs = {
  gateways: (view: GatewaysView = wholeList): string => {
    const query = new URLSearchParams({
      ...(view.search === '' ? {} : { search: view.search }),
      ...(view.onlyTroubled ? { only: 'troubled' } : {}),
      ...(view.like === '' ? {} : { like: view.like }),
      ...(view.sort === 'wrong' ? {} : { sort: view.sort }),
      ...(view.bySite ? { by: 'site' } : {}),
    }).toString();
    return query === '' ? '#/' : `#/?${query}`;
  },
  gateway: (member: string): string => `#/gateways/${encodeURIComponent(member)}`,
  terminal: (id: string): string => `#/terminals/${encodeURIComponent(id)}`,
  release: (code: string): string => `#/releases/${encodeURIComponent(code)}`,
  conditions: '#/conditions',
  unsettled: '#/unsettled',
} as const;

const viewOf = (query: URLSearchParams): GatewaysView => ({
  search: query.get('search') ?? '',
  onlyTroubled: query.get('only') === 'troubled',
  like: standings.find((word) => word === query.get('like')) ?? '',
  sort: gatewaysSorts.find((sort) => sort === query.get('sort')) ?? 'wrong',
  bySite: query.get('by') === 'site',
});

/** A user may have typed it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return placeOf(hash);
}

/** Replaces the present place, so that *back* leads to the one before. */
export function replacePlace(href: string): void {
  history.replaceState(null, '', href);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
