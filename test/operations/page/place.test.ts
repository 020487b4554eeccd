import { expect, it } from 'vitest';
import type { GatewaysView } from '../../../src/operations/page/place.ts';
import { hrefs, placeOf, wholeList } from '../../../src/operations/page/place.ts';

it.each(['', '#', '#/', '#/?'])('%j is the list of gateways', (hash) => {
  expect(placeOf(hash)).toEqual({ screen: 'gateways', view: wholeList });
});

it('an address leads to what it was made of', () => {
  const view: GatewaysView = {
    search: 'Town hall & library #2 %',
    onlyTroubled: true,
    bySite: true,
    like: 'silent',
    sort: 'hurt',
  };
  expect(placeOf(hrefs.gateways(view))).toEqual({ screen: 'gateways', view });
  expect(placeOf(hrefs.gateway('a/b'))).toEqual({ screen: 'gateway', member: 'a/b' });
  expect(placeOf(hrefs.terminal('hall ?#'))).toEqual({ screen: 'terminal', id: 'hall ?#' });
  expect(placeOf(hrefs.release('7f3a9c21'))).toEqual({ screen: 'release', code: '7f3a9c21' });
  expect(placeOf(hrefs.conditions)).toEqual({ screen: 'conditions' });
  expect(placeOf(hrefs.unsettled)).toEqual({ screen: 'unsettled' });
  expect(placeOf('#/?like=nothing&sort=colour')).toEqual({ screen: 'gateways', view: wholeList });
});

it('a code is one in whatever case somebody wrote it', () => {
  expect(placeOf('#/releases/7F3A9C21')).toEqual({ screen: 'release', code: '7f3a9c21' });
});

it.each(['#/nowhere', '#/gateways/', '#/terminals/%', '#/releases'])('%s leads nowhere', (hash) => {
  expect(placeOf(hash)).toEqual({ screen: 'nowhere' });
});
