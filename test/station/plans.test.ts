/** Which terminals move together in a fleet: those that share a printer, and those who share with them. */
import { expect, it } from 'vitest';
import type { TerminalConfig } from '../../src/config/schema/config.ts';
import { servablesOf } from '../../src/station/plans.ts';

function groupsOf(terminals: Readonly<Record<string, readonly string[]>>) {
  const plans = Object.entries(terminals).map(([id, uris]) => {
    const printers = uris.map((uri) => ({ name: uri, uri }));
    const several = uris.length > 1 && { printers };
    const terminal = { id, serialNumber: `SN-${id}`, printer: { uri: uris[0] }, ...several };
    return { terminal: terminal as unknown as TerminalConfig };
  });
  return servablesOf(plans).map(({ terminal, group }) => `${terminal} ${group}`);
}

it('a terminal alone is with its printer, however that is written; one whose printer the service names, with its number', () => {
  expect(groupsOf({ a: ['ipp://10.0.0.7'], b: ['ipp://10.0.0.7:631/'], c: ['auto'] })).toEqual([
    'a ipp://10.0.0.7:631/',
    'b ipp://10.0.0.7:631/',
    'c serial SN-c',
  ]);
});

it('whoever shares any printer is with all who share one with them, whatever comes first', () => {
  const chain = {
    a: ['ipp://1/'],
    b: ['ipp://3/', 'ipp://2/'],
    c: ['ipp://4/', 'ipp://3/'],
    d: ['ipp://5/'],
  };
  expect(groupsOf(chain)).toEqual(['a ipp://1:631/', 'b ipp://2:631/', 'c ipp://2:631/', 'd ipp://5:631/']);
  const closed = { ...chain, e: ['ipp://5/', 'ipp://1/', 'ipp://4/'] };
  expect(new Set(groupsOf(closed).map((one) => one.slice(2)))).toEqual(new Set(['ipp://1:631/']));
});

it('two terminals of one serial number are together, and named by a printer', () => {
  const of = (id: string, uri: string) => ({
    terminal: { id, serialNumber: '0001', printer: { uri } } as unknown as TerminalConfig,
  });
  const groups = servablesOf([of('a', 'ipp://2/'), of('b', 'ipp://1/')]).map(({ group }) => group);
  expect(groups).toEqual(['ipp://1:631/', 'ipp://1:631/']);
});
