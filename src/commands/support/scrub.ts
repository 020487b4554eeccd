/**
 * Takes out of a text what must not be in it: known secrets, in the forms a program may have given them, and the
 * addresses of this machine. The second lock (INVARIANTS.md T20): no piece of a bundle is meant to hold a secret.
 */

export interface Unwanted {
  readonly secrets: readonly string[];
  /** IP and MAC addresses. */
  readonly addresses: readonly string[];
}

/** A shorter one is found by chance in any text. */
const shortest = 6;

export function createScrub({ secrets, addresses }: Unwanted): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf))];
  const own = addresses.map(patternOf);
  return (text) =>
    own.reduce(
      (clean, address) => clean.replaceAll(address, '[this machine]'),
      forms.reduce((clean, form) => clean.replaceAll(form, '[secret]'), text),
    );
}

/** Not as a part of a longer one; behind an address of IPv4 there may be a port. */
const patternOf = (address: string): RegExp =>
  address.includes(':')
    ? new RegExp(`(?<![\\w:])${address}(?![\\w:])`, 'gi')
    : new RegExp(`(?<![\\d.])${address.replaceAll('.', '\\.')}(?!\\d|\\.\\d)`, 'g');

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
}
