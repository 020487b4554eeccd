/**
 * Tables of printer habits, and wishes for habits by name: `counts-late`, or with a value `cuts-names=80`. The habits
 * are in `printer/habits/habits.ts` and `printer/raw/socket-habits.ts`.
 */
export interface Habit {
  /** One sentence. */
  readonly does: string;
  readonly who: string;
  /** An address, or a section of a standard. */
  readonly source: string;
  readonly value?: HabitValue;
}

export interface HabitValue {
  readonly means: string;
  readonly form: RegExp;
  /** For a number, with both ends included. */
  readonly range?: readonly [number, number];
  readonly usual: string;
}

export type HabitTable = Readonly<Record<string, Habit>>;

export type NameIn<Table extends HabitTable> = keyof Table & string;

/** The names of the habits that have a value. */
export type ValuedIn<Table extends HabitTable> = {
  [Name in NameIn<Table>]: Table[Name] extends { readonly value: object } ? Name : never;
}[NameIn<Table>];

export type WishIn<Table extends HabitTable> = NameIn<Table> | `${ValuedIn<Table>}=${string}`;

export interface HabitsOf<Table extends HabitTable> {
  has(name: NameIn<Table>): boolean;
  /** The wished value, or the usual value if the wish has none; `undefined` without the habit. */
  value(name: ValuedIn<Table>): string | undefined;
  /** The value as a number: pages, octets, seconds or times. */
  number(name: ValuedIn<Table>): number | undefined;
  /** True for as many calls in a row as the value says, then false once. */
  inARow(name: ValuedIn<Table>): boolean;
}

/** Splits a wish such as `cuts-names=80` into the name and the optional value. */
function parts(wish: string): { name: string; given: string | undefined } {
  const at = wish.indexOf('=');
  return at === -1
    ? { name: wish, given: undefined }
    : { name: wish.slice(0, at), given: wish.slice(at + 1) };
}

/** The mistake in a wish, as a sentence; `undefined` if there is none. */
export function mistakeIn(table: HabitTable, wish: string): string | undefined {
  const { name, given } = parts(wish);
  const habit = Object.hasOwn(table, name) ? table[name] : undefined;
  if (habit === undefined) return `no habit is called ${name}. Known are: ${Object.keys(table).join(', ')}`;
  if (given === undefined) return undefined;
  if (habit.value === undefined) return `the habit ${name} has no value`;
  if (isValue(habit.value, given)) return undefined;
  return `the value of the habit ${name} is ${meaningOf(habit.value)}; "${given}" is not`;
}

function isValue({ form, range: [least, most] = [-Infinity, Infinity] }: HabitValue, given: string): boolean {
  if (!form.test(given)) return false;
  return !(Number(given) < least || Number(given) > most);
}

const meaningOf = ({ means, range }: HabitValue): string =>
  range ? `${means}, from ${range[0]} to ${range[1]}` : means;

export const isWishIn = <Table extends HabitTable>(table: Table, wish: string): wish is WishIn<Table> =>
  mistakeIn(table, wish) === undefined;

/** Throws a `TypeError` for a wish with a mistake. */
export function habitsFrom<Table extends HabitTable>(
  table: Table,
  wishes: readonly WishIn<Table>[],
): HabitsOf<Table> {
  const wished = new Map<string, string | undefined>();
  for (const wish of wishes) {
    const mistake = mistakeIn(table, wish);
    if (mistake !== undefined) throw new TypeError(mistake);
    const { name, given } = parts(wish);
    wished.set(name, given ?? table[name]?.value?.usual);
  }
  const shown = new Map<string, number>();
  const number = (name: string) => {
    const text = wished.get(name);
    return text === undefined ? undefined : Number(text);
  };
  return {
    has: (name) => wished.has(name),
    value: (name) => wished.get(name),
    number,
    inARow(name) {
      const times = shown.get(name) ?? 0;
      const isAgain = times < (number(name) ?? 0);
      shown.set(name, isAgain ? times + 1 : 0);
      return isAgain;
    },
  };
}

/** Each habit with its value, its effect, the printers that have it, and the source. */
export const habitsInWords = (table: HabitTable): readonly string[] =>
  Object.entries(table).map(([name, { does, who, source, value }]) => {
    const choice = value === undefined ? '' : `=${value.usual} (${meaningOf(value)})`;
    return `${name}${choice}: ${does}\n    ${who}\n    ${source}`;
  });
