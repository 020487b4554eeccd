/**
 * Locations of the simulated cloud (spec, Locations). They are found by properties of the place or by id, and can be
 * created and changed.
 */
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import type { LocationInfo } from '../../records/account-records.ts';
import { locationTypes } from '../../records/account-records.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, errorAnswer, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { formInteger, formText, readJson, readQuery } from '../../parameters.ts';
import { quartet } from '../../permissions.ts';
import type { Collection } from '../collection.ts';
import { forgetPlaces } from '../ports/queue-places.ts';

const section = 'spec, Locations';

const identifierQuery = z.strictObject({
  locationtype: z.array(formInteger(1, 4)),
  locationdata: z.array(formText),
});

const wellFormed: readonly ((data: string) => boolean)[] = [
  isIPv4,
  (data) => isIPv4(data.split('/')[0] ?? '') && /\/(?:\d|[12]\d|3[0-2])$/.test(data),
  isRange,
  () => true,
];

/** The lower address comes first. */
function isRange(data: string): boolean {
  const [first = '', last = '', ...more] = data.split('-');
  if (more.length > 0 || !isIPv4(first) || !isIPv4(last)) return false;
  return numberOf(first) <= numberOf(last);
}

const numberOf = (address: string): number =>
  address.split('.').reduce((number, part) => number * 256 + Number(part), 0);

/** Finds locations by identifiers, or a single location by `locationId` in the query. */
export function findLocations(context: CloudContext, call: Call): Answer {
  if (call.query.startsWith('locationId=')) {
    const { locationId } = readQuery(call, { schema: z.strictObject({ locationId: formText }), section });
    return locationById(context, locationId);
  }
  return answerList(context, call, {
    schema: identifierQuery,
    section,
    repeatable: ['locationtype', 'locationdata'],
    find: ({ locationtype, locationdata }) => {
      const asked = locationtype.map((type, index) => identifierOf(type, locationdata[index]));
      if (locationdata.length !== asked.length) throw mismatch('a locationdata without its locationtype');
      return context.state.locations.filter(({ identifiers }) =>
        asked.some(({ type, data }) =>
          identifiers.some((one) => one.locationType === type && one.searchValue === data),
        ),
      );
    },
  });
}

function locationById({ state }: CloudContext, id: string): Answer {
  const location = state.locations.find((one) => String(one.id) === id);
  if (!location) throw new Refusal('no such location', errorAnswer(404));
  return json(200, location);
}

function identifierOf(number: number, data: string | undefined) {
  if (data === undefined) throw mismatch('a locationtype without its locationdata');
  if (!wellFormed[number - 1]?.(data)) throw mismatch(`locationdata that is no ${locationTypes[number - 1]}`);
  const type = locationTypes[number - 1];
  if (!type) throw mismatch('an unknown locationtype');
  return { type, data };
}

const mismatch = (what: string): Deviation => new Deviation(what, section, errorAnswer(400));

const locationData = z.strictObject({
  id: z.int().min(0).optional(),
  name: z.string().min(1),
  sortOrder: z.int(),
  identifiers: z.array(
    z.strictObject({ locationType: z.int().min(1).max(4), stringData: z.array(z.string().min(1)) }),
  ),
});
type LocationData = z.output<typeof locationData>;

/** In a request, an identifier may have several data. It is stored as one identifier for each. */
export const locations: Collection<LocationInfo, LocationData> = {
  path: '/locations',
  section,
  permissions: quartet('Locations'),
  calls: { one: true, create: ['POST', 'id'], change: ['PUT', 'itself'], remove: 'id' },
  reading: 'free',
  settle: ({ state }) => forgetPlaces(state),
  items: (state) => state.locations,
  list: 'locations',
  read: (call) => readJson(call, { schema: locationData, section }),
  make: ({ name, sortOrder, identifiers }, { id }) => ({
    id,
    name,
    sortOrder,
    identifiers: identifiers.flatMap(({ locationType, stringData }) =>
      stringData.map((one) => {
        const { type, data } = identifierOf(locationType, one);
        return { locationType: type, searchValue: data };
      }),
    ),
  }),
};
