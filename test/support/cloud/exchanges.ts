/** What the embedded cloud has recorded of its calls, held against the OpenAPI document on both sides. */
import type { CallRecord } from '../../../src/simulator/cloud/serving.ts';
import { complaintsAboutAnswer, complaintsAboutRequest } from './description.ts';

/** A sentence for each kind of misfit; an answer that a fault spoilt, or that never came, is not judged. */
export function complaintsAbout(calls: readonly CallRecord[]): readonly string[] {
  const complaints = calls.flatMap((call) => [...complaintsAboutRequest(call), ...aboutAnswer(call)]);
  return [...new Set(complaints)];
}

function aboutAnswer(call: CallRecord): readonly string[] {
  const { status, fault, answerType: type, answerBody } = call;
  if (status === undefined || fault !== undefined) return [];
  // The cloud keeps no answer that is long, or no JSON.
  const body = type === undefined ? '' : answerBody;
  return complaintsAboutAnswer(call, { status, type, body });
}
