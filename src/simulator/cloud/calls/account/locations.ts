/** `GET /locations` of the simulated cloud (spec, Locations): by what is found on the spot, or by id. */
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { locationTypes } from '../../account-records.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, errorAnswer, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { formInteger, formText, readQuery, requireNoParameters } from '../../parameters.ts';

const section = 'spec, Locations';

const identifierQuery = z.strictObject({
  locationtype: z.array(formInteger(1, 4)),
  locationdata: z.array(formText),
});

const wellFormed: readonly ((data: string) => boolean)[] = [
  isIPv4,
  (data) => isIPv4(data.split('/')[0] ?? '') && /\/(?:\d|[12]\d|3[0-2])$/.test(data),
  (data) => data.split('-').length === 2 && data.split('-').every((end) => isIPv4(end)),
  () => true,
];

/** By identifiers, or, with `locationId` in the query, one. */
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

export function showLocation(context: CloudContext, call: Call): Answer {
  requireNoParameters(call, section);
  return locationById(context, call.parts['locationid'] ?? '');
}

function locationById({ state }: CloudContext, id: string): Answer {
  const location = state.locations.find((one) => String(one.id) === id);
  if (!location) throw new Refusal('no such location', errorAnswer(404));
  return json(200, location);
}

function identifierOf(number: number, data: string | undefined) {
  if (data === undefined) throw mismatch('a locationtype without its locationdata');
  if (!wellFormed[number - 1]?.(data)) throw mismatch(`locationdata that is no ${locationTypes[number - 1]}`);
  return { type: locationTypes[number - 1], data };
}

const mismatch = (what: string): Deviation => new Deviation(what, section, errorAnswer(400));
