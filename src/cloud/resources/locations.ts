/** `GET /locations`: the location of an address (spec, Locations; LocationInfo). */
import { z } from 'zod';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { ResourceDeps } from '../http/caller.ts';
import type { FormField } from '../http/form.ts';
import { optionalInt } from '../http/optional-fields.ts';
import { readList } from '../http/pages.ts';
import { visibleText } from '../../core/text/visible-text.ts';

/** Requests use the number of each, from 1. */
const locationTypes = ['GATEWAY_IP', 'SUBNET', 'IP_RANGE', 'WIFI_SSID'] as const;
type LocationType = (typeof locationTypes)[number];

export interface LocationIdentifier {
  readonly type: LocationType;
  /** An IPv4 address, `<ipv4>/<prefix>`, `<ipv4>-<ipv4>`, or the name of a network. */
  readonly value: string;
}

export interface Location {
  readonly id: number;
  readonly name: string;
  readonly sortOrder: number | undefined;
  readonly identifiers: readonly LocationIdentifier[];
}

export interface Locations {
  /** Locations that match one of the identifiers: a gateway asks with its own addresses as `GATEWAY_IP`. */
  find(identifiers: readonly LocationIdentifier[], options: CallerOptions): Promise<readonly Location[]>;
}

const identifier = z
  .object({ locationType: z.enum(locationTypes), searchValue: z.string() })
  .transform(({ locationType, searchValue }) => ({ type: locationType, value: searchValue }));

const locationInfo = z
  .object({
    id: z.int(),
    name: z.string(),
    sortOrder: optionalInt,
    identifiers: z.array(z.unknown()).catch([]),
  })
  .transform(
    ({ name, identifiers, ...info }): Location => ({
      ...info,
      name: visibleText(name),
      identifiers: identifiers.flatMap((one) => identifier.safeParse(one).data ?? []),
    }),
  );

export const createLocations = (deps: ResourceDeps): Locations => ({
  async find(identifiers, options) {
    // The call needs a type and data; without an address there are none.
    if (identifiers.length === 0) return [];
    const fields = identifiers.flatMap(({ type, value }): FormField[] => [
      ['locationtype', locationTypes.indexOf(type) + 1],
      ['locationdata', value],
    ]);
    const list = { name: 'locations', path: '/api/v1/locations', fields, entry: locationInfo };
    return readList(deps, list, options);
  },
});
