/** `GET /inputports`: the queues to which people print (spec, Input ports). */
import { z } from 'zod';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { optionalInt, optionalText } from '../http/optional-fields.ts';
import { readList } from '../http/pages.ts';
import { visibleText } from '../../core/text/visible-text.ts';

export interface InputPort {
  readonly id: number;
  readonly name: string;
  /** A document waits in a pull queue for its release; a push queue sends it to its printer at once. */
  readonly kind: 'pull' | 'push';
  /** The printer of a push queue, by name. */
  readonly outputPort: string | undefined;
  readonly locationId: number | undefined;
  readonly containerName: string | undefined;
}

export interface InputPortFilter {
  /** Only ports to which this user may print; the two go together. */
  readonly user?: { readonly userName: string; readonly providerId: number };
  readonly locationIds?: readonly number[];
}

export interface InputPorts {
  list(filter: InputPortFilter, options: CallerOptions): Promise<readonly InputPort[]>;
}

const inputPortInfo = z
  .object({
    id: z.int(),
    name: z.string(),
    portType: z.literal([0, 1]),
    outputPort: optionalText,
    locationId: optionalInt,
    containerName: optionalText,
  })
  .transform(
    ({ name, portType, ...info }): InputPort => ({
      ...info,
      name: visibleText(name),
      kind: portType === 0 ? 'pull' : 'push',
    }),
  );

export const createInputPorts = (deps: ResourceDeps): InputPorts => ({
  list: ({ user, locationIds }, options) =>
    readList(
      deps,
      {
        name: 'input ports',
        path: '/api/v1/inputports',
        fields: [
          ['providerid', user?.providerId],
          ['username', user?.userName],
          ['locationids', locationIds],
          ['enrichPorts', true],
        ],
        entry: inputPortInfo,
      },
      options,
    ),
});
