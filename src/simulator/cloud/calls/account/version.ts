/** `GET /version` of the simulated cloud: ServerVersionInfo of the spec. */
import type { Answer, Call } from '../../call.ts';
import { errorAnswer, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { requireNoParameters } from '../../parameters.ts';

export function version({ settings }: CloudContext, call: Call): Answer {
  requireNoParameters(call, 'spec, Version');
  if (settings.versionFor === 'tokens' && call.caller.kind === 'none') {
    throw new Refusal('the API key alone is not enough here', errorAnswer(403));
  }
  return json(200, {
    version: '1.0.0-simulated',
    buildDate: '2026-01-01',
    buildTimeStamp: 1_767_225_600_000,
  });
}
