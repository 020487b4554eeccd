/**
 * Digests of a fleet as large as F17 wants it. Sizes are those of the goal: 1,000 gateways with ten terminals each, some
 * eight at a site. Names are as administrators give them, long ones and other scripts included. How often something is
 * wrong is no measurement: printers that want paper or toner are what help desks hear of most, so they are what most
 * gateways have here; the rest is rare, and all of it is more frequent than anybody would bear.
 */
import type { DigestedCondition, GatewayDigest } from '../../../src/domain/gateway-digest.ts';
import type { SeenGateway } from '../../../src/domain/ports/gateways.ts';

const cities = [
  'Aachen',
  'Bilbao',
  'Cork',
  'Debrecen',
  'Évora',
  'Freiburg',
  'Gdańsk',
  'Huelva',
  'Ioánnina',
  'Jyväskylä',
  'København',
  'Łódź',
  'Málaga',
  'Nîmes',
  'Örebro',
  'Plzeň',
  'Querétaro',
  'Reykjavík',
  'São Paulo',
  'Tromsø',
  '東京',
  'القاهرة',
  'Llanfairpwllgwyngyll Town Hall and Library, North Wing',
];
const places = ['Main library', 'Town hall', 'Campus', 'Clinic', 'Depot', 'Office'];

const two = (number: number): string => String(number).padStart(2, '0');
const at = (hour: number, minute: number): string =>
  `2026-11-25T${two(hour % 24)}:${two(minute % 60)}:00.000Z`;

export const memberId = (nth: number): string =>
  `00000000-0000-4000-8000-${nth.toString(16).padStart(12, '0')}`;

/** What a gateway has wrong; most have nothing. */
function conditionsOf(nth: number): readonly DigestedCondition[] {
  const found: DigestedCondition[] = [];
  const add = (code: DigestedCondition['code'], severity: DigestedCondition['severity'], scope: string) =>
    found.push({ code, severity, scope, since: at(nth, nth * 7) });
  if (nth % 97 === 5) add('cloud-unreachable', 'error', 'agent');
  if (nth % 41 === 3) add('printer-unreachable', 'error', `floor-${nth % 10}`);
  if (nth % 11 === 1) add('printer-not-ready', 'warning', `floor-${nth % 10}`);
  if (nth % 53 === 7) add('reader-unavailable', 'error', `floor-${(nth + 1) % 10}`);
  if (nth % 83 === 9) add('printer-certificate-expiring', 'warning', `floor-${(nth + 2) % 10}`);
  return found;
}

export function sampleDigest(nth: number, changes: Partial<GatewayDigest> = {}): GatewayDigest {
  const conditions = conditionsOf(nth);
  const troubled = conditions
    .filter(({ scope }) => scope !== 'agent')
    .map(({ scope, code }) => ({
      id: scope,
      state: code === 'printer-not-ready' ? 'not ready' : 'out of service',
    }));
  const allOut = nth % 211 === 17;
  const site = Math.floor(nth / 8);
  return {
    member: memberId(nth),
    name: `gw-${String(nth).padStart(4, '0')}`,
    site: `${cities[site % cities.length]}, ${places[site % places.length]} ${1 + Math.floor(site / cities.length)}`,
    version: nth % 50 === 0 ? '0.0.9' : '0.1.0',
    at: '2026-11-26T00:00:00.000Z',
    startedAt: at(nth * 3, nth),
    config: {
      version: 41,
      wanted: nth % 100 === 3 ? 42 : null,
      refused: nth % 333 === 100 ? { version: 42, why: 'printers.hall: no such printer' } : null,
    },
    terminals: { configured: 10, served: 10, ready: allOut ? 0 : 10 - troubled.length, troubled },
    outbox: {
      waiting: nth % 19 === 4 ? nth % 37 : 0,
      deadLetters: nth % 307 === 31 ? 2 : 0,
      oldest: nth % 19 === 4 ? at(nth, 12) : null,
    },
    unknownOutcomes: nth % 29 === 8 ? 1 : 0,
    certificateDays: nth % 71 === 13 ? 6 : 80 + (nth % 200),
    conditions,
    moreConditions: 0,
    operationsTls: true,
    operations: nth % 4 === 0 ? `10.0.${Math.floor(nth / 250)}.${1 + (nth % 250)}:7381` : null,
    ...changes,
  };
}

const isSilent = (nth: number): boolean => nth % 167 === 20;

/** The first of them is the one that tells. */
export const sampleFleet = (count: number): readonly SeenGateway[] =>
  Array.from({ length: count }, (_, nth) => ({
    digest: sampleDigest(nth),
    hasTold: true,
    ageSeconds: nth === 0 ? 0 : isSilent(nth) ? 200 + nth : nth % 30,
    lastBeatSeconds: nth === 0 ? 0 : isSilent(nth) ? 190 + nth : 1,
    isSelf: nth === 0,
    isBeating: !isSilent(nth),
  }));
