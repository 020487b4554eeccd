/**
 * Members that have not reported yet to an engine that has forgotten (F9), or have printed alone without it (F12). As
 * long as there are any, an unknown document is not printed without asking, at any gateway.
 */
import { z } from 'zod';

/** Their names, as JSON. */
export const unreportedMembers = `(SELECT coalesce(json_agg(name ORDER BY name), '[]') FROM (
  SELECT name FROM platen.member, platen.fleet WHERE told < forgot
  UNION SELECT coalesce(name, member::text) FROM platen.alone LEFT JOIN platen.member ON id = member
    WHERE EXISTS (SELECT FROM platen.member other WHERE other.id <> platen.alone.member)) AS untold)`;
export const unreportedShape = z.array(z.string());

/** For people who can start these members. */
export const unreportedInWords = (names: readonly string[]): string =>
  `${listed(names)} ${names.length === 1 ? 'has' : 'have'} not reported the prints there yet. Until then Platen asks people before documents print. Start ${names.length === 1 ? 'it' : 'them'}, or retire gateways that will not come back: platen fleet retire NAME`;

/** The first few: of a thousand gateways a sentence would be a page. */
const most = 8;
const listed = (names: readonly string[]): string =>
  names.length <= most
    ? names.join(', ')
    : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
