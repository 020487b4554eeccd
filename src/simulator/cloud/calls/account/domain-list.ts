/** The domains of an account of the simulated cloud, the primary domain first (spec, Domain-list rules). */
import { z } from 'zod';

const part = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';

/** Letters, digits, hyphens and periods. Each part starts and ends with a letter or digit. */
export const formDomain = z
  .string()
  .regex(new RegExp(`^${part}(?:\\.${part})*$`, 'i'), 'expected a domain name')
  .toLowerCase();

/** `domainname` may come more than once. */
export const domainFields = {
  primarydomain: formDomain.optional(),
  domainname: z.array(formDomain).optional(),
};

export type DomainFields = z.infer<z.ZodObject<typeof domainFields>>;

/** The sent list replaces the old one. The primary domain is added if it is missing, and comes first. */
export function domainList(
  before: readonly string[],
  { primarydomain, domainname = [...before] }: DomainFields,
): readonly string[] {
  const [kept] = before;
  const primary = primarydomain ?? (kept !== undefined && domainname.includes(kept) ? kept : domainname[0]);
  return primary === undefined ? [] : [...new Set([primary, ...domainname])];
}

/** An empty text means the default time zone. */
export const formTimezone = z.enum(['', 'UTC', ...Intl.supportedValuesOf('timeZone')]);
