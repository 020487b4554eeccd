/** A value that must exist at this point of a state machine. If it is missing, the machine has a defect. */
export function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`there is no ${name} here`);
  return value;
}
