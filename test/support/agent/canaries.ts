/** Words that stand for a secret or a person, and where one of them is found in a text, in any form it may have. */

export type Canaries = Readonly<Record<string, string>>;

/** The names of those that are in it. */
export const canariesIn = (text: string, canaries: Canaries): readonly string[] =>
  Object.entries(canaries)
    .filter(([, canary]) => formsOf(canary).some((form) => text.includes(form)))
    .map(([name]) => name);

function formsOf(canary: string): readonly string[] {
  const bytes = Buffer.from(canary);
  const encoded = (['base64', 'base64url', 'hex'] as const).map((form) => bytes.toString(form));
  return [
    canary,
    canary.toUpperCase(),
    encodeURIComponent(canary),
    bytes.toString('hex').toUpperCase(),
    ...encoded,
  ];
}
