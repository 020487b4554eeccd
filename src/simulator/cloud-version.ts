/** `GET /version` of the simulated cloud: ServerVersionInfo of the spec. */
import type { Answer, Call } from './cloud-call.ts';
import { json } from './cloud-call.ts';
import type { CloudContext } from './cloud-context.ts';
import { requireNoParameters } from './cloud-parameters.ts';

export function version(_: CloudContext, call: Call): Answer {
  requireNoParameters(call, 'spec, Version');
  return json(200, {
    version: '1.0.0-simulated',
    buildDate: '2026-01-01',
    buildTimeStamp: 1_767_225_600_000,
  });
}
