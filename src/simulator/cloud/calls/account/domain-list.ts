/** The domains of an account of the simulated cloud, the primary one first (spec, Domain-list rules). */
import { z } from 'zod';

const part = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';

/** Letters, digits, hyphens, periods; every part starts and ends with a letter or digit. */
export const formDomain = z
  .string()
  .regex(new RegExp(`^${part}(?:\\.${part})*$`, 'i'), 'expected a domain name')
  .toLowerCase();

/** `domainname` may come more than once. */
export const domainFields = {
  primarydomain: formDomain.optional(),
  domainname: z.array(formDomain).optional(),
};

export interface DomainFields {
  readonly primarydomain?: string | undefined;
  readonly domainname?: readonly string[] | undefined;
}

/** What is sent replaces the list; the primary domain is added where it is not in it, and moves first. */
export function domainList(
  before: readonly string[],
  { primarydomain, domainname = before }: DomainFields,
): readonly string[] {
  const [kept] = before;
  const primary = primarydomain ?? (kept !== undefined && domainname.includes(kept) ? kept : domainname[0]);
  return primary === undefined ? [] : [...new Set([primary, ...domainname])];
}

export const formTimezone = z
  .string()
  .refine((zone) => zone === '' || isZone(zone), 'expected an IANA zone id, or nothing');

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
