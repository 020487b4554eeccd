/**
 * `GET /endpoints/<id>`: the service's record of a device, and whether it trusts the device (spec, Endpoints;
 * EndpointInfo).
 */
import { z } from 'zod';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { DeviceTrust } from '../../domain/ports/enrollment.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs, inBackground } from '../http/caller.ts';
import { pathSegment } from '../http/form.ts';
import { valueOf } from '../http/json.ts';
import { visibleText } from '../../core/text/visible-text.ts';

export interface Endpoint {
  /** The `client_id` of its registration. */
  readonly endpointId: string;
  readonly description: string;
  /** Server, Printer, PC Client, Browser extension, Mobile device. */
  readonly endpointType: string;
  readonly authorized: boolean;
}

export interface Endpoints extends DeviceTrust {
  read(endpointId: string, options: CallerOptions): Promise<Endpoint>;
}

const shownText = z.string().catch('').transform(visibleText);
const endpointInfo: z.ZodType<Endpoint> = z.object({
  endpointId: z.string().min(1),
  description: shownText,
  endpointType: shownText,
  authorized: z.boolean(),
});

export function createEndpoints(deps: ResourceDeps): Endpoints {
  const read = async (endpointId: string, options: CallerOptions): Promise<Endpoint> => {
    const path = `/api/v1/endpoints/${pathSegment(endpointId)}`;
    return valueOf(
      await askAs(deps, { method: 'GET', path }, inBackground(deps.clock, options)),
      endpointInfo,
    );
  };
  return {
    read,
    isAuthorized: async (clientId, options) => (await read(clientId, options)).authorized,
  };
}
