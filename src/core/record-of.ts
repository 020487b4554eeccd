/** A record that has the same value under each of these names. */
export const recordOf = <Name extends string, Value>(
  names: readonly Name[],
  value: Value,
): Readonly<Record<Name, Value>> =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>;
