/**
 * Reads the challenges of a 401 (RFC 9110 section 11.6.1): several in one header line or in many, with parameters
 * between:
 *
 * Digest realm="printer", nonce="5a1f", qop="auth" , Basic realm="printer"
 * \____/ \_______________________________________/   \___/ \_____________/
 * scheme  parameters                                 scheme parameters
 */

export interface Challenge {
  /** In small letters, as are the names of the parameters. */
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const separators = /[\s,]*/y;
const token = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const value = /\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))(?=\s*(?:,|$))/y;
const rest = /[^,]*/y;

/** Text outside this grammar is skipped, including a token68. */
export function challengesOf(header: string | readonly string[] | undefined): readonly Challenge[] {
  const text = [header ?? []].flat().join(', ');
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  let at = 0;
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found) at = form.lastIndex;
    return found;
  };
  while (at < text.length) {
    take(separators);
    const word = take(token)?.[0].toLowerCase();
    const assigned = word === undefined ? null : take(value);
    if (word === undefined) take(rest);
    else if (assigned) {
      const current = challenges.at(-1);
      const [, quoted, bare] = assigned;
      if (current) current.parameters[word] ??= quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '';
    } else if (/[\s,]|^$/.test(text.charAt(at))) challenges.push({ scheme: word, parameters: {} });
    else take(rest);
  }
  return challenges;
}
