/** What a printer uses up or fills: toner, ink, staples, waste. */

export interface Supply {
  /** In the printer's own words; safe to show. */
  readonly name: string;
  /** 0 to 1: what is left of it or, of a box for waste, what is in it. */
  readonly level: number;
  /** Waste goes into it. */
  readonly fills: boolean;
}

/** A day or two of printing: time to order. */
const low = 0.1;

/** For an administrator; `undefined` while there is enough of everything. Without numbers, so that it stays the same. */
export function complaintAboutSupplies(supplies: readonly Supply[]): string | undefined {
  const emptying = supplies.filter(({ level, fills }) => !fills && level < low);
  const filling = supplies.filter(({ level, fills }) => fills && level > 1 - low);
  const said = [
    ...emptying.map(({ name }) => `${name} is below ${low * 100} %`),
    ...filling.map(({ name }) => `${name} is more than ${(1 - low) * 100} % full`),
  ];
  return said.length === 0 ? undefined : said.join(', ');
}
