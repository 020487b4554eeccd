/** A value that has to be there at this point of a machine's walk, or the walk is wrong. */
export function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`there is no ${name} here`);
  return value;
}
