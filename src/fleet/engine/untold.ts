/**
 * Members that have not told yet what an engine that has forgotten should know (F9), or what they printed without it, alone
 * (F12). As long as there are any, a document that nobody knows of is not printed unasked, by whatever gateway.
 */
import { z } from 'zod';

/** The names of members that have not told yet what an engine that has forgotten should know, as JSON. */
export const untoldMembers = `(SELECT coalesce(json_agg(name ORDER BY name), '[]') FROM (
  SELECT name FROM platen.member, platen.fleet WHERE told < forgot
  UNION SELECT coalesce(name, member::text) FROM platen.alone LEFT JOIN platen.member ON id = member
    WHERE EXISTS (SELECT FROM platen.member other WHERE other.id <> platen.alone.member)) AS untold)`;
export const untoldShape = z.array(z.string());

/** For whoever can start them. */
export const untoldInWords = (names: readonly string[]): string =>
  `${listed(names)} ${names.length === 1 ? 'has' : 'have'} not reported the prints there yet. Until then Platen asks people before documents print. Start ${names.length === 1 ? 'it' : 'them'}, or retire gateways that will not come back: platen fleet retire NAME`;

/** The first few: of a thousand gateways a sentence would be a page. */
const most = 8;
const listed = (names: readonly string[]): string =>
  names.length <= most
    ? names.join(', ')
    : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
