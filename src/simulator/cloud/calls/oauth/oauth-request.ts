/**
 * Reads the fields of an OAuth call, and gives the bytes that are signed. They are the body of a POST, or in the
 * service's older form the query of a GET (two generations are published).
 */
import type { Call } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { oauthDeviation } from '../../oauth-errors.ts';
import { readForm, readQuery } from '../../parameters.ts';

export function readOAuth<T>(
  { settings }: CloudContext,
  call: Call,
  reading: Parameters<typeof readForm<T>>[1],
): T {
  if (call.method === 'POST') return readForm(call, reading);
  if (settings.oauthForms === 'newer') {
    throw oauthDeviation('invalid_parameters', 'the older form, by GET', reading.section);
  }
  return readQuery(call, reading);
}

export const signedBytes = ({ method, query, body }: Call): Buffer =>
  method === 'POST' ? body : Buffer.from(query);
