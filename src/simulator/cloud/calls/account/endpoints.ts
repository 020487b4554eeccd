/** Registered clients of the simulated cloud (spec, Endpoints). A device can see here if it is still authorised. */
import { z } from 'zod';
import { requireReader } from '../../admission.ts';
import type { Answer, Call } from '../../call.ts';
import { errorAnswer, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { followPages, pageOf } from '../../paging.ts';
import { formBoolean, formInteger, readQuery, requireNoParameters } from '../../parameters.ts';
import type { Endpoint } from '../../state.ts';

const section = 'spec, Endpoints';

/** The `endpointType` of EndpointInfo for each `client_type` of a registration (src/cloud/README.md 1). */
const typeLabel: Readonly<Record<string, string>> = {
  server: 'Server',
  printer: 'Printer',
  desktop_client: 'PC Client',
  chrome_extension: 'Browser extension',
  mobile_device: 'Mobile device',
};

const listQuery = z.strictObject({
  withVersion: formBoolean,
  maxrecords: formInteger(1, 2000).default(50),
});

export function listEndpoints(context: CloudContext, call: Call): Answer {
  const { first, place } = followPages(context, call, section);
  const { withVersion, maxrecords } = readQuery(first, { schema: listQuery, section });
  const found = context.state.endpoints.filter(({ clientType }) => !withVersion || clientType === 'server');
  const { page, ...paging } = pageOf(found, place, maxrecords);
  return json(200, { items: page.map(endpointInfo), ...paging });
}

/** A device may always see its own entry. */
export function showEndpoint(context: CloudContext, call: Call): Answer {
  requireNoParameters(call, section);
  const id = call.parts['endpointid'];
  const { caller } = call;
  if (caller.kind !== 'device' || caller.endpoint.clientId !== id) requireReader(context, call, 'reading');
  const endpoint = context.state.endpoints.find((one) => one.clientId === id);
  if (!endpoint) throw new Refusal('no such endpoint', errorAnswer(400));
  return json(200, endpointInfo(endpoint));
}

const endpointInfo = ({ clientId, clientType, description, trust }: Endpoint) => ({
  endpointId: clientId,
  description,
  endpointType: typeLabel[clientType] ?? clientType,
  authorized: trust === 'approved',
});
